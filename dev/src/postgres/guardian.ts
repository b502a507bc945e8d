import { spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which only the process that started it has open; then stops the server ($1), and
 * deletes the folders that follow. After a line on the input it exits and does neither.
 */
const SCRIPT = `
read -r line && exit 0
server=$1
shift
kill -INT "$server" 2>/dev/null
tries=0
while kill -0 "$server" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
[ $# -eq 0 ] || rm -rf -- "$@"
`;

/** Ends the guardian; resolves when it is gone. The server runs on. */
export type Dismiss = () => Promise<void>;

/**
 * A tiny shell process that outlives a killed start and then stops PostgreSQL, which would run on by itself.
 *
 * @param deleteAfter folders of a throw-away cluster, to be deleted as well
 */
export function guard(serverPid: number, deleteAfter: readonly string[] = []): Dismiss {
  if (process.platform === 'win32') return async () => undefined;
  const guardian = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'heliograph-guardian', String(serverPid), ...deleteAfter],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      detached: true,
    },
  );
  const gone = new Promise<void>((resolve) => {
    guardian.once('exit', () => resolve());
    guardian.once('error', () => resolve());
  });
  guardian.stdin.on('error', () => undefined);
  guardian.unref();
  return async () => {
    guardian.ref();
    guardian.stdin.end('done\n');
    await gone;
  };
}
