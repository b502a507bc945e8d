import { readFileSync } from 'node:fs';

/** Between two checks, in milliseconds. */
const INTERVAL_MS = 200;

/**
 * Calls back once npm is gone. npm runs a script through a shell; npm does not wait for it when SIGTERM ends npm,
 * sends it no signal when SIGHUP or SIGKILL ends npm, and not every shell forwards signals. Without npm, Ctrl-C no
 * longer reaches this process.
 */
export function onNpmExit(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parents = parentsUpToNpm();
  const timer = setInterval(() => {
    if (parentsUpToNpm() === parents) return;
    clearInterval(timer);
    stop();
  }, INTERVAL_MS);
  timer.unref();
}

/** Our parent, and, where that is a shell that waits for us (as in Debian), its parent: npm. */
function parentsUpToNpm(): string {
  const { ppid } = process;
  try {
    const [, option] = readFileSync(`/proc/${ppid}/cmdline`, 'utf8').split('\0');
    if (option !== '-c') return String(ppid);
    const status = readFileSync(`/proc/${ppid}/stat`, 'utf8');
    return `${ppid} ${status.slice(status.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    // Not Linux, where the usual shells put the program in their own place.
    return String(ppid);
  }
}
