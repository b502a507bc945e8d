import { chown, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import { hasEnded, isRunning } from '../supervisor/process-table.ts';
import type { Account } from './account.ts';
import { failureLine } from './failure-line.ts';
import { makeOwned } from './place.ts';
import type { Programs } from './programs.ts';

/** The role that owns everything in the cluster. */
export const SUPERUSER = 'heliograph';

/** How long a new cluster may take on a slow SD card, in milliseconds. */
const INITDB_TIMEOUT_MS = 120_000;

/** How long a left-over server may take to write its data, in milliseconds. */
const FAST_SHUTDOWN_MS = 10_000;
const KILL_MS = 5000;

/** Settings of every cluster of ours, small enough for a Raspberry Pi. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket's path may have about 100 bytes, so a socket in the data folder would limit where that may lie.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '32MB',
  max_wal_size: '128MB',
  // Asynchronous reads by extra processes gain nothing on a small database.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  password_encryption: 'scram-sha-256',
};

/**
 * Settings that make a throw-away cluster fast: it never waits for the disk, so a power cut may corrupt it. Each of a run's
 * workers may have a cloud or two with ten connections each.
 */
const THROW_AWAY = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Hundreds of small databases would have a visitor several times a second.
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** Settings of a throw-away cluster with a standby, which needs the log that the others leave out. */
const REPLICATED = { synchronous_commit: 'on', wal_level: 'replica', max_wal_senders: '10' };

export interface ClusterOptions {
  readonly account: Account | undefined;
  readonly password: string;
  /** False for throw-away clusters: nothing is flushed to disk. */
  readonly durable: boolean;
}

/**
 * Makes the cluster `<place>/data` unless it is there. It is built beside its final name, so that a start
 * that was cut short leaves nothing that looks like a cluster.
 *
 * @returns the cluster's folder
 */
export async function ensureCluster(
  place: string,
  programs: Programs,
  options: ClusterOptions,
): Promise<string> {
  const cluster = join(place, 'data');
  const existing = await versionOf(cluster);
  if (existing !== undefined) {
    await refuseOtherVersion(cluster, existing, programs);
    return cluster;
  }
  const unfinished = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await makeOwned(unfinished, options.account);
  try {
    await writeFile(passwordFile, options.password, { mode: 0o600 });
    if (options.account) await chown(passwordFile, options.account.uid, options.account.gid);
    const args = initdbArguments(unfinished, passwordFile, options.durable);
    const made = await run(programs.initdb, args, { ...options.account, timeoutMs: INITDB_TIMEOUT_MS });
    if (!made.ok) {
      throw new StartRefusal(`The database cannot be created in ${place}: ${failureLine(made.stderr)}`);
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, cluster);
  return cluster;
}

function initdbArguments(folder: string, passwordFile: string, durable: boolean): string[] {
  return [
    ...['--pgdata', folder, '--username', SUPERUSER, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale'],
    // Sorting and case mapping that are the same on every machine.
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--no-instructions',
    // Clients compute the iterations for each connection; they slow down guesses of a password, which ours is too long for.
    ...(durable ? [] : ['--no-sync', '--set', 'scram_iterations=1']),
  ];
}

/** The arguments of `postgres` for one of our clusters. */
export function serverArguments(options: {
  cluster: string;
  port: number;
  durable: boolean;
  replicated: boolean;
}): string[] {
  const settings = {
    ...SETTINGS,
    port: String(options.port),
    ...(options.durable ? {} : THROW_AWAY),
    ...(options.replicated ? REPLICATED : {}),
  };
  return [
    '-D',
    options.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** The PostgreSQL major version a cluster was made with. */
async function versionOf(cluster: string): Promise<string | undefined> {
  return (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined))?.trim();
}

async function refuseOtherVersion(cluster: string, major: string, programs: Programs): Promise<void> {
  const { stdout } = await run(programs.postgres, ['--version']);
  const ours = /(\d+)(?:\.|\w)/.exec(stdout)?.[1];
  if (ours === undefined || ours === major) return;
  throw new StartRefusal(
    `The database in ${cluster} was made by PostgreSQL ${major}, and this is PostgreSQL ${ours}: ` +
      'move its contents with pg_dump, or delete it for a fresh start',
  );
}

/**
 * Ends a server that still runs on the cluster because the process that started it was killed, and removes a
 * `postmaster.pid` whose process is gone or whose pid now belongs to another program. Only the holder of the data
 * folder's lock may call this.
 */
export async function endLeftoverServer(cluster: string): Promise<void> {
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
 * restart of the machine it may belong to any program.
 *
 * @param cluster the real path of the cluster; the server's working directory
 */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command=']);
  return stdout.includes(cluster) && /\bpostgres\b/.test(stdout);
}
