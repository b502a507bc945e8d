import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordedUnit } from '@heliograph/dev/modbus';
import { openPty, rtuUnits } from '@heliograph/dev/serial';
import { createTestDatabase, reservedPorts } from '@heliograph/dev/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { makeRoot } from './make-root.ts';
import { PLATFORMS } from './npm/platform.ts';
import { PARTS, type PartName } from './parts.ts';

const platform = PLATFORMS.find(({ cpu }) => cpu === process.arch);
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

describe.runIf(process.platform === 'linux' && platform !== undefined)('packages', () => {
  it('a packaged device serves its pages and reads hardware outside of a checkout', async () => {
    const root = await rootOf('device');
    const port = await reservedPorts();
    const data = await folder();
    start(root, 'apps/device/src/main.js', { DEVICE_DATA: data, DEVICE_PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => statusOf(`${url}/healthz`)).toBe(200);
    const page = await (await fetch(url)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect(await statusOf(`${url}${script}`)).toBe(200);
    // The list of common passwords is there.
    expect(await firstPassword(url, 'Password1!')).toBe(422);
    expect(await firstPassword(url, 'roof above the garden')).toBe(204);
    const probe = await run(root, 'apps/cli/src/main.js', [
      'device',
      'probe',
      '--bus',
      'modbus-tcp://127.0.0.1:1',
    ]);
    // One driver is code, the other a profile.
    expect(probe).toMatch(/looking for .*\bdeye, .*\bsolis\b/);
  });

  it('a packaged device reads serial ports', async () => {
    const root = await rootOf('device');
    const unit = await recordedUnit('seplos-v3', ['seplos_v3_two_packs']);
    const pty = openPty(join(await folder(), 'port'));
    const detach = rtuUnits(unit, [unit.unitId])(pty.line);
    undo.push(async () => {
      detach();
      pty.close();
    });
    const args = ['device', 'probe', '--bus', `modbus-rtu://${encodeURI(pty.path)}`, '--driver', 'seplos-v3'];
    expect(await run(root, 'apps/cli/src/main.js', args)).toMatch(/^seplos-v3 +modbus-rtu:/m);
  });

  it('a packaged cloud migrates its database and serves its portal, and the command line works on it', async () => {
    const root = await rootOf('cloud');
    const database = await createTestDatabase();
    undo.push(() => database.drop());
    const port = await reservedPorts();
    const env = {
      DATABASE_URL: database.url,
      CLOUD_SECRET: 'x'.repeat(32),
      CLOUD_PORT: String(port),
      CLOUD_MAILBOX: 'true',
    };
    start(root, 'apps/cloud/src/main.js', env);
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
    expect(await statusOf(`${url}/sign_in`)).toBe(200);
    expect(await statusOf(`${url}/openapi.json`)).toBe(200);
    expect(await statusOf(`${url}/register/verify`)).toBe(200);
    const created = await run(
      root,
      'apps/cli/src/main.js',
      ['admin', 'users', 'create', 'ada@example.org', '--first-name', 'Ada', '--last-name', 'Lovelace'],
      env,
    );
    expect(created).toMatch(/^email +ada@example\.org$/m);
  });

  it('a packaged proxy serves its own endpoints', async () => {
    const root = await rootOf('proxy');
    const port = await reservedPorts();
    start(root, 'apps/proxy/src/main.js', {
      CLOUD_URL: 'http://127.0.0.1:1',
      PROXY_NAME: 'test',
      PROXY_REGION: 'test',
      PROXY_HOST: 'localhost',
      PROXY_CREDENTIAL: `hgp_${'x'.repeat(43)}`,
      PROXY_PORT: String(port),
    });
    await expect.poll(() => statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200);
  });
});

async function rootOf(name: PartName): Promise<string> {
  if (platform === undefined) throw new Error('there are no packages for this machine');
  const root = join(await folder(), 'heliograph');
  await makeRoot(PARTS[name], platform, root);
  return root;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'heliograph-package-'));
  undo.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

function start(root: string, program: string, env: Record<string, string>): void {
  const child = spawn(join(root, 'bin/node'), [join(root, program)], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  undo.push(() => end(child));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** @returns what it prints, on either stream */
async function run(
  root: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(join(root, 'bin/node'), [join(root, program), ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  return output;
}

/** @returns the status of the answer of a device without a password */
async function firstPassword(url: string, password: string): Promise<number> {
  const { status } = await fetch(`${url}/api/v1/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ password }),
  });
  return status;
}

/** @returns the status of the answer; undefined while nothing answers */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    return (await fetch(url)).status;
  } catch {
    return undefined;
  }
}
