import type { TunnelTicket } from '@heliograph/wire';
import type { DeviceSession } from './device-session.ts';

export interface SessionListener {
  added(session: DeviceSession): void;
  /** @param gracefully whether the device said that it goes, as one does that moves to another proxy */
  removed(session: DeviceSession, gracefully: boolean): void;
}

/** The session of every connected device: one for each device, and one for each site. */
export class SessionRegistry {
  readonly #bySite = new Map<number, DeviceSession>();
  readonly #byDevice = new Map<string, DeviceSession>();
  readonly #listener: SessionListener;

  constructor(listener: SessionListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#bySite.size;
  }

  find(siteId: number): DeviceSession | undefined {
    return this.#bySite.get(siteId);
  }

  findDevice(uid: string): DeviceSession | undefined {
    return this.#byDevice.get(uid);
  }

  all(): IterableIterator<DeviceSession> {
    return this.#bySite.values();
  }

  /**
   * Whether a ticket is older than that of another device that has its site, or than that of the device itself for
   * another site: the cloud gave the site away since.
   */
  isOutdated({ uid, siteId, expiresAt }: TunnelTicket): boolean {
    const rivals = [this.#bySite.get(siteId)?.ticket, this.#byDevice.get(uid)?.ticket];
    return rivals.some(
      (rival) =>
        rival !== undefined && (rival.uid !== uid || rival.siteId !== siteId) && rival.expiresAt > expiresAt,
    );
  }

  /**
   * Makes a session the one of its site and its device.
   *
   * @returns those it replaces: an earlier connection, that of another device of the site, or that of the device for
   *   another site
   */
  add(session: DeviceSession): DeviceSession[] {
    const current = new Set([this.#bySite.get(session.siteId), this.#byDevice.get(session.uid)]);
    const replaced = [...current].filter((other) => other !== undefined);
    for (const other of replaced) this.remove(other, true);
    this.#bySite.set(session.siteId, session);
    this.#byDevice.set(session.uid, session);
    this.#listener.added(session);
    return replaced;
  }

  /** Removes this very session; a successor under the same site stays. */
  remove(session: DeviceSession, gracefully: boolean): void {
    if (this.#bySite.get(session.siteId) !== session) return;
    this.#bySite.delete(session.siteId);
    this.#byDevice.delete(session.uid);
    this.#listener.removed(session, gracefully);
  }
}
