import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'heliograph-admin-'));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true });
});

/** Each command is two processes; a busy machine takes its time, in milliseconds. */
const TIMEOUT_MS = 60_000;

const NEW_USER = ['users', 'create', 'ada@example.org', '--first-name', 'Ada', '--last-name', 'Lovelace'];

it(
  'heliograph admin works on the database of DATABASE_URL, from the first account on',
  async () => {
    const admin = (args: readonly string[], input?: string) =>
      runCommand(['admin', ...args], { DATABASE_URL: database.url }, input);
    const made = await admin([...NEW_USER, '--password-stdin', '--json'], 'Purple-canoe-92\n');
    expect(made).toMatchObject({ code: 0, stderr: "The database was empty: made Heliograph's tables\n" });
    expect(JSON.parse(made.stdout)).toMatchObject({ email: 'ada@example.org', confirmed: true });
    expect(made.stdout).not.toContain('Purple-canoe-92');
    expect(await admin(['users', 'password', 'ada@example.org', '--password-stdin'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'heliograph admin: There was no password on standard input\n',
    });
  },
  TIMEOUT_MS,
);

it(
  'heliograph admin works on the database of the system that runs on this machine',
  async () => {
    const run = {
      cloud: { url: 'http://127.0.0.1:4000', database_url: database.url },
      proxy: { url: 'http://127.0.0.1:4001', host: '127.0.0.1:4001' },
      device: { url: 'http://127.0.0.1:4002', password: 'secret' },
      account: { api_token: 'secret' },
    };
    await writeFile(join(folder, 'run.json'), JSON.stringify(run));
    const listed = await runCommand(['admin', 'organizations', 'list', '--json'], {
      HELIOGRAPH_DATA: folder,
    });
    expect(listed).toMatchObject({ code: 0, stdout: '[]\n' });
  },
  TIMEOUT_MS,
);

it(
  'heliograph admin refuses an unknown command, and names the database that it needs',
  async () => {
    expect(await runCommand(['admin', 'users', 'fly'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'heliograph admin: There is no command "users fly" (see "heliograph admin users --help")\n',
    });
    const without = await runCommand(['admin', 'users', 'list']);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toMatch(/^heliograph admin: No database is known: .*DATABASE_URL.*\n$/);
  },
  TIMEOUT_MS,
);
