import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OF_CHECKOUT, runCommand } from '../../test/run-command.ts';

const RUN_FOREGROUND = new URL('./foreground.ts', import.meta.url).href;

describe('a script in the foreground', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heliograph-cli-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Starts a process that does nothing but run the script in its foreground. */
  const start = async (script: string) => {
    const path = join(folder, 'script.mjs');
    await writeFile(path, script);
    const options = JSON.stringify({ cwd: folder, env: process.env });
    const outer = `import { runForeground } from '${RUN_FOREGROUND}';
      process.exitCode = await runForeground(${JSON.stringify(path)}, ${options});`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', outer], { stdio: 'pipe' });
    return child;
  };

  it.each([
    ['process.exitCode = 3;', 3],
    ['process.kill(process.pid, "SIGKILL");', 137],
  ])('%s ends with its exit code %i', async (script, code) => {
    const child = await start(script);
    expect(await once(child, 'close')).toEqual([code, null]);
  });

  it('a script gets every signal once, and ends by itself', async () => {
    const child = await start(`
      let interrupts = 0;
      process.on('SIGINT', () => { console.log('interrupt', ++interrupts); });
      process.on('SIGTERM', () => { console.log('end'); clearInterval(timer); });
      const timer = setInterval(() => {}, 1000);
      console.log('ready');
    `);
    let out = '';
    for await (const chunk of child.stdout) {
      out += String(chunk);
      if (out.endsWith('ready\n')) child.kill('SIGINT');
      if (out.endsWith('interrupt 1\n')) child.kill('SIGTERM');
    }
    expect(out).toBe('ready\ninterrupt 1\nend\n');
    await expect.poll(() => child.exitCode).toBe(0);
  });
});

it('heliograph start refuses what npm start refuses, in the same words', async () => {
  const { code, stdout, stderr } = await runCommand(['start'], { HELIOGRAPH_PORT: 'any' }, '', OF_CHECKOUT);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('HELIOGRAPH_PORT');
});

it('an installed heliograph refuses to start a system', async () => {
  expect(await runCommand(['start'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'heliograph: "heliograph start" works in a checkout of the project only\n',
  });
});
