import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import { type Account, canEnter } from './account.ts';
import { privateBase } from './private-base.ts';

/** Name, in the data folder, of the database's folder or of the symbolic link to it. */
const NAME = 'postgres';
/** Name, beside a cluster that lies elsewhere, of the file with the path of the link that owns it. */
const OWNER_FILE = 'owner';
/**
 * How long a database outlives its data folder. The folder may have been deleted, but also moved, or lie on
 * a disk that is not plugged in; a start from its new place claims the database again.
 */
const GRACE_MS = 7 * 24 * 3600 * 1000;

/** PostgreSQL handles paths of 1,024 bytes (MAXPGPATH) and adds its own names of up to about 100. */
const MAX_PATH_BYTES = 800;

/**
 * The folder that holds (or will hold) the database cluster as `data`.
 *
 * It is `<dataFolder>/postgres` wherever that works. Where PostgreSQL's account cannot get there, or the path
 * is too long, or the file system keeps no owners and modes, it is a folder of ours elsewhere, and
 * `<dataFolder>/postgres` is a symbolic link to it: the next start finds it again, and deleting the data
 * folder still means a fresh start.
 */
export async function clusterPlace(
  dataFolder: string,
  account: Account | undefined,
  options: { baseFolder?: string } = {},
): Promise<string> {
  const local = join(await realpath(dataFolder), NAME);
  const found = await lstat(local).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    const target = await realpath(local).catch(() => undefined);
    if (target !== undefined) return await claim(target, local);
    await unlink(local);
  } else if (found !== undefined) {
    if (await isUsable(local, account)) return local;
    return await moveElsewhere(local, await newFolder(account, options.baseFolder));
  }
  await mkdir(local, { recursive: true, mode: 0o700 });
  await chmod(local, folderMode(account));
  if (await isUsable(local, account)) return local;
  await rm(local, { recursive: true, force: true });
  const elsewhere = await newFolder(account, options.baseFolder);
  await symlink(elsewhere, local);
  return await claim(elsewhere, local);
}

/** Whether PostgreSQL can store its files below a folder: reachable, short enough, with owners and modes. */
async function isUsable(folder: string, account: Account | undefined): Promise<boolean> {
  if (Buffer.byteLength(folder) > MAX_PATH_BYTES) return false;
  if (!(await canEnter(folder, account))) return false;
  const probe = join(folder, 'probe');
  try {
    await makeOwned(probe, account);
    const { uid, mode } = await stat(probe);
    return (
      uid === (account?.uid ?? process.getuid?.() ?? uid) &&
      (process.platform === 'win32' || (mode & 0o77) === 0)
    );
  } catch {
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Makes an empty folder that only the account can enter, as PostgreSQL demands of its data directory. */
export async function makeOwned(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
}

/** The place itself stays ours; root lets the account pass through without seeing what is in it. */
function folderMode(account: Account | undefined): number {
  return account === undefined ? 0o700 : 0o711;
}

async function newFolder(account: Account | undefined, baseFolder?: string): Promise<string> {
  const base = baseFolder ?? (await privateBase(account));
  const folder = join(base, `database-${randomBytes(8).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, folderMode(account));
  return folder;
}

/** Records which link a folder elsewhere belongs to, and that it was used today. */
async function claim(folder: string, link: string): Promise<string> {
  await writeFile(join(folder, OWNER_FILE), link, { mode: 0o600 });
  await utimes(folder, new Date(), new Date());
  return folder;
}

/** A cluster that became unreachable, say because its checkout was moved below /root, follows to a better place. */
async function moveElsewhere(local: string, elsewhere: string): Promise<string> {
  const from = join(local, 'data');
  const to = join(elsewhere, 'data');
  if (await lstat(from).catch(() => undefined)) {
    const moved = await rename(from, to).catch((error: NodeJS.ErrnoException) => error);
    if (moved?.code === 'EXDEV') {
      const copied = await run('cp', ['-a', from, to], { timeoutMs: 300_000 });
      if (!copied.ok) throw new StartRefusal(`The database cannot be moved to ${to}: ${copied.stderr}`);
    } else if (moved) {
      throw moved;
    }
  }
  await rm(local, { recursive: true, force: true });
  await symlink(elsewhere, local);
  return await claim(elsewhere, local);
}

/** Deletes databases below `base` that no data folder links to any more. Never fails: it can be done another day. */
export async function sweepOrphans(base: string, nowMs: number): Promise<void> {
  for (const name of await readdir(base).catch(() => [])) {
    if (!name.startsWith('database-')) continue;
    const folder = join(base, name);
    try {
      const used = await stat(folder);
      if (nowMs - used.mtimeMs < GRACE_MS || (await isLinked(folder))) continue;
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Another start may be sweeping the same folder.
    }
  }
}

async function isLinked(folder: string): Promise<boolean> {
  const link = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => undefined);
  if (link === undefined) return false;
  return (await realpath(link).catch(() => undefined)) === (await realpath(folder));
}
