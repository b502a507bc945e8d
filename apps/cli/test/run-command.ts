import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testProgram } from '@heliograph/dev/testing';
import { clockEnv } from '@heliograph/kit';
import { COMPILE_CACHE } from '../src/target/run-file.ts';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type CommandEnv = Readonly<Record<string, string>>;

const INSTALLED = await testProgram('apps/cli/src/main');

/** The command of a checkout, which runs from its sources. */
export const OF_CHECKOUT = join(import.meta.dirname, '../src/main.ts');

/**
 * Starts `heliograph` as a shell would. It sees the given environment alone, not that of the tests; what Node compiled
 * before is no part of what is tested, and takes most of the time.
 */
export function startCommand(
  args: readonly string[],
  env: CommandEnv = {},
  program = INSTALLED,
): ChildProcessWithoutNullStreams {
  const { PATH = '' } = process.env;
  const quiet = { NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: COMPILE_CACHE, HELIOGRAPH_DATA: '/nowhere' };
  return spawn(process.execPath, [program, ...args], { env: { PATH, ...quiet, ...clockEnv(), ...env } });
}

/** Runs `heliograph` to its end. @param input what it can read on standard input */
export async function runCommand(
  args: readonly string[],
  env: CommandEnv = {},
  input = '',
  program = INSTALLED,
): Promise<Finished> {
  const child = startCommand(args, env, program);
  // A command that reads nothing may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
