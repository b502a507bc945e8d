import { stat } from 'node:fs/promises';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';

/** A system account that PostgreSQL's programs run under; absent where they run as ourselves. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that exist on practically every Unix, best first. None is ever created. */
const UNPRIVILEGED_NAMES = ['postgres', '_postgres', 'nobody'];

/**
 * The account PostgreSQL must run under: it refuses root
 * (https://www.postgresql.org/docs/18/app-postgres.html), so root needs another; any other account runs it itself.
 */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of UNPRIVILEGED_NAMES) {
    const uid = await idOf('-u', name);
    const gid = await idOf('-g', name);
    // An empty answer would be 0, which is root.
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new StartRefusal(
    `PostgreSQL cannot run as root, and there is no user named ${UNPRIVILEGED_NAMES.join(' or ')} to run it as`,
  );
}

/** @returns NaN where there is no such account */
async function idOf(option: '-u' | '-g', name: string): Promise<number> {
  const { ok, stdout } = await run('id', [option, name]);
  return ok && stdout !== '' ? Number(stdout) : Number.NaN;
}

/**
 * The account for a database: the one that owns its files where they exist, so that a system first started
 * by an ordinary user can be started by root as well.
 *
 * @param clusterFolder the cluster, which need not exist yet
 */
export async function accountFor(clusterFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return await unprivilegedAccount();
}

/**
 * Whether the account can reach a folder: every folder above it must be open to it. The system itself is
 * queried, for modes know nothing of access lists and read-only mounts.
 */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return true;
  return (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], account)).ok;
}
