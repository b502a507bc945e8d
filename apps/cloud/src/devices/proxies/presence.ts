import type { Database } from '../../db/open.ts';
import {
  type DeviceSession,
  deleteDismissed,
  listRefused,
  onlineUids,
  updatePresence,
} from './presence-rows.ts';

/**
 * Devices in one transaction. All devices of a killed proxy in one would exceed the statement timeout, and block
 * others that wait for their rows.
 */
const DEVICES_PER_TRANSACTION = 2_000;

/** Runs work in a transaction of its own, as long as the announcement is the newest of its proxy. */
export type AnnouncementTransaction = <T>(work: (tx: Database) => Promise<T>) => Promise<T>;

interface AnnouncedBy {
  readonly proxyName: string;
  /** Date of the proxy's announcement before: the last_seen_at of devices that left since. */
  readonly before: Date;
}

/**
 * Applies a full list of sessions: the listed devices are online, the others of the proxy are not, unless they are
 * returning to a proxy that has just started.
 *
 * @returns uids of listed devices that are revoked, or not for the site of their session
 */
export async function replaceSessions(
  step: AnnouncementTransaction,
  {
    proxyName,
    before,
    sessions,
    returning,
  }: AnnouncedBy & { readonly sessions: readonly DeviceSession[]; readonly returning: boolean },
): Promise<string[]> {
  const leaving = returning ? [] : await step((tx) => heldBesides(tx, proxyName, sessions));
  for (let from = 0; from < Math.max(sessions.length, leaving.length); from += DEVICES_PER_TRANSACTION) {
    const part = [from, from + DEVICES_PER_TRANSACTION] as const;
    await step((tx) =>
      updatePresence(tx, proxyName, sessions.slice(...part), leaving.slice(...part), before),
    );
  }
  return step(async (tx) => {
    // Deleted before the query: a session dismissed in between is in the answer to the next announcement.
    await deleteDismissed(tx, proxyName);
    return listRefused(tx, proxyName, sessions);
  });
}

/**
 * Applies changes of sessions, in the transaction that stores the announcement.
 *
 * @returns uids of the sessions that the proxy is to end: of added devices that are revoked or not for the site of
 * their session, and those dismissed since the announcement before. A proxy that does not get this answer announces
 * everything, and then each of its devices is checked.
 */
export async function changeSessions(
  tx: Database,
  change: AnnouncedBy & { readonly added: readonly DeviceSession[]; readonly removed: readonly string[] },
): Promise<string[]> {
  const { proxyName, before, added, removed } = change;
  if (added.length + removed.length > 0) await updatePresence(tx, proxyName, added, removed, before);
  const dismissed = await deleteDismissed(tx, proxyName);
  if (added.length === 0) return dismissed;
  // A device that was dismissed and is back for a site of its own keeps its new session.
  const addedUids = new Set(added.map(({ uid }) => uid));
  const refused = await listRefused(tx, proxyName, added);
  return [...refused, ...dismissed.filter((uid) => !addedUids.has(uid))];
}

async function heldBesides(
  tx: Database,
  proxyName: string,
  sessions: readonly DeviceSession[],
): Promise<string[]> {
  const listed = new Set(sessions.map(({ uid }) => uid));
  return (await onlineUids(tx, proxyName)).filter((uid) => !listed.has(uid));
}
