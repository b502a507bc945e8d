import { execFile } from 'node:child_process';
import { clockEnv } from '@heliograph/kit';

export interface RunResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** Runs a program to its end. A program that cannot be started is a failure like any other, never a throw. */
export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, ...account } = options;
  return new Promise((resolve) => {
    const settings = { ...account, cwd: '/', env: programEnv(), timeout: timeoutMs, maxBuffer: 1 << 22 };
    execFile(file, args, settings, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout: stdout.trim(), stderr: stderr.trim() || (error?.message ?? '') });
    });
  });
}

/**
 * The environment of PostgreSQL's programs: only what they need, so that a PGDATA, PGPORT or LD_PRELOAD of
 * the user's shell does not reach them, and their messages are in English for us to read.
 */
export function programEnv(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return {
    PATH: PATH ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(SystemRoot ? { SystemRoot } : {}),
    ...clockEnv(),
  };
}
