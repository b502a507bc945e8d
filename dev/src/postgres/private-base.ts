import { chmod, lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ensureFolders } from '../data-folder/ensure-folders.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import { type Account, canEnter } from './account.ts';

/**
 * A folder of ours, outside checkout and data folder, for what must lie where PostgreSQL's account can reach
 * it, on a path of reasonable length. Only we can write in it.
 */
export async function privateBase(
  account: Account | undefined,
  candidates = baseCandidates(),
): Promise<string> {
  const refusals: string[] = [];
  for (const folder of candidates) {
    const refusal = await claim(folder, account);
    if (refusal === undefined) return folder;
    refusals.push(`${folder}: ${refusal}`);
  }
  throw new StartRefusal(`There is no place that PostgreSQL can reach (${refusals.join('; ')})`);
}

function baseCandidates(): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const shared = `/var/tmp/heliograph-${uid}`;
  if (uid === 0) return ['/var/lib/heliograph', shared];
  return [join(homedir(), '.local', 'share', 'heliograph'), shared];
}

/** Makes the folder ours. Resolves to the reason why it cannot be, or undefined. */
async function claim(folder: string, account: Account | undefined): Promise<string | undefined> {
  try {
    await ensureFolders(folder);
    const found = await lstat(folder);
    // In a place that all may write, another user may have been there first and own what we would run.
    if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid))
      return 'belongs to another user';
    await chmod(folder, account === undefined ? 0o700 : 0o711);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return (await canEnter(folder, account)) ? undefined : 'cannot be reached';
}
