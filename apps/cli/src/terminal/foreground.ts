import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

export interface ForegroundOptions {
  /** The program of Node that runs the script; this process's by default. */
  readonly node?: string;
  /** The script's arguments; none by default. */
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Lets the script read what is typed here, for which it stays in this process's group: only that group may
   * read from a terminal.
   */
  readonly readsInput?: boolean;
}

/**
 * Runs a script of this project as if it were this very process: its output is shown, signals are passed on,
 * its exit code is returned.
 *
 * A terminal sends Ctrl-C to a whole process group; a script that reads no input gets a group of its own, so that
 * one Ctrl-C reaches it once.
 */
export async function runForeground(
  script: string,
  { node = process.execPath, args = [], cwd, env, readsInput = false }: ForegroundOptions,
): Promise<number> {
  const pass = (signal: NodeJS.Signals): void => {
    child?.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // Before the script starts: a signal in between would end this process alone.
  for (const signal of signals) process.on(signal, pass);
  let child: ChildProcess | undefined;
  try {
    child = spawn(node, [script, ...args], {
      cwd,
      env,
      stdio: [readsInput ? 'inherit' : 'ignore', 'inherit', 'inherit'],
      detached: !readsInput && process.platform !== 'win32',
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
