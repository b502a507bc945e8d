import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');

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

/** Runs a script at the root of the checkout; the first command that fails ends it. @returns what it prints */
export async function bash(script: string, dataFolder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: {
      ...process.env,
      HELIOGRAPH_DATA: dataFolder,
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    },
  });
  return stdout;
}
