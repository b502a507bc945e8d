import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../machine/run-program.ts';

/** Whether a process runs; one that ended and waits for its parent to notice does not. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!isThere(pid)) return false;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // Without a file it ended in between, or the system shows no files of it.
  return status === undefined ? isThere(pid) : !/\) [ZX] /.test(status);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Waits until a process has ended. Resolves to whether it did in time. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/**
 * The time at which a process began, in the system's own form: it distinguishes the process from every other that
 * ever had its pid. Undefined when there is no such process.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (!(await isRunning(pid))) return undefined;
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-p', String(pid), '-o', 'lstart=']);
    return stdout === '' ? undefined : stdout;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  // Field 22 (starttime), counted after the name, which may itself hold spaces and brackets.
  const startTicks = status?.slice(status.lastIndexOf(')') + 2).split(' ')[19];
  return startTicks === undefined ? undefined : `${boot.trim()}:${startTicks}`;
}
