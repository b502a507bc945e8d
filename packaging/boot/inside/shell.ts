import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Longest time that a script takes, in milliseconds. */
const TIMEOUT_MS = 300_000;

/**
 * Runs a script as root in the folder of the packages; the first command that fails ends it.
 *
 * @returns what it prints, on either stream
 */
export async function shell(script: string, folder = '/root/packages/present'): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
      cwd: folder,
      timeout: TIMEOUT_MS,
      maxBuffer: 1 << 26,
    });
    return stdout;
  } catch (error) {
    const { stdout = '' } = error as { readonly stdout?: string };
    throw new Error(`${script}\nfailed, and printed:\n${stdout}`, { cause: error });
  }
}

/** Waits until a condition holds. @throws Error after the time, in seconds, with the last failure */
export async function until<Value>(
  attempt: () => Promise<Value>,
  { seconds = 60 }: { readonly seconds?: number } = {},
): Promise<Value> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** @throws Error unless the text has the pattern */
export function expectMatch(text: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`${pattern} is not in:\n${text}`);
  return match;
}
