import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresServer } from '@heliograph/dev/postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CloudProcess } from './cloud-process.ts';

const SCRIPT = join(import.meta.dirname, '../../../packaging/containers/cloud-role.sh');
const PASSWORD = "a 'quoted' password";

let folder: string;
let server: PostgresServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-role-'));
  await chmod(folder, 0o711);
  server = new PostgresServer({ dataFolder: folder, password: 'test', throwAway: true, durable: false });
  await server.start();
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = promisify(execFile);

const urlOf = (database: string) =>
  `postgresql://cloud:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}/${database}`;

it('the role of the containers serves a cloud, owns its database and nothing else', async () => {
  await run('sh', [SCRIPT], {
    env: {
      ...process.env,
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGPASSWORD: 'test',
      // The superuser of servers that tests start.
      POSTGRES_USER: 'heliograph',
      CLOUD_DATABASE_PASSWORD: PASSWORD,
    },
  });
  {
    await using cloud = await CloudProcess.start(urlOf('cloud'));
    await cloud.make.user();
  }
  const client = new Client(urlOf('cloud'));
  await client.connect();
  try {
    const { rows } = await client.query(
      'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    );
    expect(rows.flatMap((row: object) => Object.values(row))).toEqual(Array(5).fill(false));
    await expect(client.query("copy (select 1) to program 'true'")).rejects.toThrow(/permission denied/);
  } finally {
    await client.end();
  }
  await expect(new Client(urlOf('postgres')).connect()).rejects.toThrow(/permission denied/);
});
