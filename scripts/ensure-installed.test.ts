import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);

let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'heliograph install '));
  await mkdir(join(checkout, 'scripts'));
  for (const name of ['ensure-installed.js', 'check-machine.js'])
    await cp(join(import.meta.dirname, name), join(checkout, 'scripts', name));
  await writeFile(join(checkout, 'package.json'), '{"type":"module"}');
  await writeFile(join(checkout, 'package-lock.json'), '{"lockfileVersion":3}');
  // npm by its path, as npm hands it to scripts: counts its runs and does what postinstall does.
  await writeFile(
    join(checkout, 'npm.cjs'),
    `const { appendFileSync } = require('node:fs');
     appendFileSync(${JSON.stringify(join(checkout, 'runs'))}, process.argv.slice(2).join(' ') + '\\n');
     if (process.env.FAILS) process.exit(1);
     require('node:child_process').execFileSync(process.execPath, ['scripts/ensure-installed.js', '--record']);`,
  );
});
afterEach(() => rm(checkout, { recursive: true }));

function ensureInstalled(environment: NodeJS.ProcessEnv = {}): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, ['scripts/ensure-installed.js'], {
    cwd: checkout,
    env: { ...process.env, npm_execpath: join(checkout, 'npm.cjs'), ...environment },
  });
}
const installs = async () => (await readFile(join(checkout, 'runs'), 'utf8')).trim().split('\n');

describe('ensure-installed', () => {
  it('a fresh clone is installed once, with a sentence on stderr, and stdout stays empty', async () => {
    const first = await ensureInstalled();
    const second = await ensureInstalled();
    expect(first.stderr).toMatch('This is the first run here');
    expect([first.stdout, second.stdout, second.stderr]).toEqual(['', '', '']);
    expect(await installs()).toEqual(['ci --no-audit --no-fund']);
  });

  it('a changed lock file is installed again', async () => {
    await ensureInstalled();
    await writeFile(join(checkout, 'package-lock.json'), '{"lockfileVersion":3,"name":"other"}');
    expect((await ensureInstalled()).stderr).toMatch('does not match package-lock.json');
    expect(await installs()).toHaveLength(2);
  });

  it('two commands at once install once', async () => {
    await Promise.all([ensureInstalled(), ensureInstalled(), ensureInstalled()]);
    expect(await installs()).toHaveLength(1);
  });

  it('the lock of a killed command is taken over', async () => {
    await writeFile(join(checkout, '.heliograph-installing'), '999999999');
    await ensureInstalled();
    expect(await installs()).toHaveLength(1);
  });

  it('a failed install is an error, and the next command tries again', async () => {
    await expect(ensureInstalled({ FAILS: '1' })).rejects.toMatchObject({
      stderr: expect.stringContaining('Try npm ci'),
    });
    await ensureInstalled();
    expect(await installs()).toHaveLength(2);
  });
});
