import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testProgram } from '../src/testing/test-programs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The folder in which npm links the commands of the checkout. */
const COMMANDS = join(ROOT, 'node_modules/.bin');

/** A page's commands start up to fifty processes one after the other, for which a busy machine takes a minute. */
export const SHELL_TIMEOUT_MS = 120_000;

/** A page of this project, by its path from the root. */
export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The shell commands of a page, block by block. */
export function shellBlocks(page: string): string[] {
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
}

/** Whether this machine has bash and curl. */
export function hasShell(): boolean {
  try {
    for (const command of ['bash', 'curl']) execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder with `heliograph` as a package installs it. @param parent an existing folder */
export async function installedCommands(parent: string): Promise<string> {
  const folder = join(parent, 'commands');
  await mkdir(folder);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${await testProgram('apps/cli/src/main')}' "$@"\n`;
  await writeFile(join(folder, 'heliograph'), script, { mode: 0o755 });
  return folder;
}

/**
 * Runs a script at the root of the checkout; the first command that fails ends it.
 *
 * @param commands a folder whose commands are found before all others; by default those of the checkout
 * @returns its output
 * @throws an error with its output so far
 */
export async function bash(script: string, dataFolder: string, commands = COMMANDS): Promise<string> {
  const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: {
      ...process.env,
      HELIOGRAPH_DATA: dataFolder,
      PATH: `${commands}:${process.env.PATH}`,
    },
  });
  const { stdout } = await running.catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
  });
  return stdout;
}
