import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import { hasEnded, isRunning } from '../supervisor/process-table.ts';

/** How long a left-over server may take to write its data, in milliseconds. */
const FAST_SHUTDOWN_MS = 10_000;
const KILL_MS = 5000;

/**
 * Ends a server that still runs on the cluster because whoever started it was killed, and removes a
 * `postmaster.pid` whose process is gone or by now is somebody else's. Only the holder of the data folder's
 * lock may call this.
 */
export async function removeLeftovers(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  if ((await isRunning(pid)) && (await isServerOf(pid, await realpath(cluster)))) {
    process.kill(pid, 'SIGINT');
    if (await hasEnded(pid, FAST_SHUTDOWN_MS)) return;
    process.kill(pid, 'SIGKILL');
    if (!(await hasEnded(pid, KILL_MS))) throw new StartRefusal(`PostgreSQL's process ${pid} does not end`);
  }
  await rm(file, { force: true });
}

/**
 * Whether a process is the PostgreSQL server of a cluster. Its pid alone proves nothing: after a crash or a
 * restart of the machine it may be anybody's.
 *
 * @param cluster the real path of the cluster; the server's working directory
 */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command=']);
  return stdout.includes(cluster) && /\bpostgres\b/.test(stdout);
}
