import type { Clock } from '@heliograph/kit';
import type { PresenceRepository } from './presence-repository.ts';

/**
 * `last_seen_at` of a device that stays online is written once in this time, in milliseconds: proxies announce
 * every few seconds, and a write for each device each time would be most of what the database does.
 */
const LAST_SEEN_PRECISION_MS = 60_000;

/** Which devices are online, and where. */
export class PresenceService {
  readonly #presence: PresenceRepository;
  readonly #clock: Clock;

  constructor(presence: PresenceRepository, clock: Clock) {
    this.#presence = presence;
    this.#clock = clock;
  }

  /**
   * Takes a proxy's word for which devices it holds: these are online, the others it held are not.
   *
   * @returns those among them that are revoked, whose sessions the proxy is to end
   */
  async markPresence(proxyName: string, uids: readonly string[]): Promise<string[]> {
    const nowMs = this.#clock.now();
    await this.#presence.markOthersOffline(proxyName, uids);
    if (uids.length === 0) return [];
    const staleBefore = new Date(nowMs - LAST_SEEN_PRECISION_MS);
    await this.#presence.markOnline(proxyName, uids, new Date(nowMs), staleBefore);
    return this.#presence.revokedAmong(uids);
  }
}
