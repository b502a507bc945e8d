import type { Database } from '../../db/open.ts';
import type { DeviceSession, PresenceRepository } from './presence-repository.ts';

/**
 * How many devices are settled in one transaction. All of a proxy's at once, when it was killed, take longer than a
 * statement may, and others would wait for their rows.
 */
const DEVICES_AT_ONCE = 2_000;

/** Runs work in a transaction of its own, if the announcement is still the newest of its proxy. */
export type AnnouncementTransaction = <T>(work: (tx: Database) => Promise<T>) => Promise<T>;

/** A proxy's announcement, as far as devices are concerned. */
interface AnnouncedBy {
  readonly proxyName: string;
  /** When the proxy announced itself the time before: devices that left since were last seen then. */
  readonly before: Date;
}

/** Which devices are online, and where, as proxies announce it. */
export class PresenceService {
  readonly #presence: PresenceRepository;

  constructor(presence: PresenceRepository) {
    this.#presence = presence;
  }

  /**
   * Takes a proxy's word for which devices it holds: these are online, the others it held are not, unless they are
   * returning to a proxy that has just started.
   *
   * @returns those among them that are not trusted, or not for the site they are listed with
   */
  async replaceSessions(
    step: AnnouncementTransaction,
    {
      proxyName,
      before,
      sessions,
      returning,
    }: AnnouncedBy & { readonly sessions: readonly DeviceSession[]; readonly returning: boolean },
  ): Promise<string[]> {
    const leaving = returning ? [] : await step((tx) => this.#heldBesides(tx, proxyName, sessions));
    for (let from = 0; from < Math.max(sessions.length, leaving.length); from += DEVICES_AT_ONCE) {
      const part = [from, from + DEVICES_AT_ONCE] as const;
      await step((tx) =>
        this.#presence.update(tx, proxyName, sessions.slice(...part), leaving.slice(...part), before),
      );
    }
    return step(async (tx) => {
      // Before looking at the listed: whoever is dismissed in between is told with the next announcement.
      await this.#presence.deleteDismissed(tx, proxyName);
      return this.#presence.listRefused(tx, proxyName, sessions);
    });
  }

  /**
   * Takes a proxy's word for which devices left it and which came, within the transaction that takes its announcement.
   *
   * @returns devices among all on the proxy whose sessions it is to end: those that came and are not trusted for the
   * site they are listed with, and those that were dismissed since the announcement before. A proxy that does not get
   * this answer announces everything, and then each of its devices is looked at.
   */
  async changeSessions(
    tx: Database,
    change: AnnouncedBy & { readonly added: readonly DeviceSession[]; readonly removed: readonly string[] },
  ): Promise<string[]> {
    const { proxyName, before, added, removed } = change;
    const isQuiet = added.length + removed.length === 0;
    if (!isQuiet) await this.#presence.update(tx, proxyName, added, removed, before);
    const dismissed = await this.#presence.deleteDismissed(tx, proxyName);
    if (added.length === 0) return dismissed;
    // A device that was dismissed and is back for a site of its own keeps its new session.
    const came = new Set(added.map(({ uid }) => uid));
    const refused = await this.#presence.listRefused(tx, proxyName, added);
    return [...refused, ...dismissed.filter((uid) => !came.has(uid))];
  }

  async #heldBesides(tx: Database, proxyName: string, sessions: readonly DeviceSession[]): Promise<string[]> {
    const listed = new Set(sessions.map(({ uid }) => uid));
    return (await this.#presence.onlineUids(tx, proxyName)).filter((uid) => !listed.has(uid));
  }
}
