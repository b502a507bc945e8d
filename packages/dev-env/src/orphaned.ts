import { readFileSync } from 'node:fs';

/** How often to look, in milliseconds. */
const INTERVAL_MS = 200;

/**
 * Calls back once npm is gone. npm runs a script through a shell; npm does not wait for it when it is ended by
 * SIGTERM, tells it nothing when it is ended by SIGHUP or SIGKILL, and not every shell passes on what it is
 * told. Without npm nobody could stop us with Ctrl-C any more.
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
