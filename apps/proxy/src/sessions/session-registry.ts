import type { DeviceSession } from './device-session.ts';

/** The session of every connected device, by the site it serves. */
export class SessionRegistry {
  readonly #bySite = new Map<number, DeviceSession>();
  readonly #onChange: () => void;

  /** @param onChange called after a session came or went */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  find(siteId: number): DeviceSession | undefined {
    return this.#bySite.get(siteId);
  }

  all(): DeviceSession[] {
    return [...this.#bySite.values()];
  }

  /** Makes a session the one of its site. @returns the session it replaces */
  add(session: DeviceSession): DeviceSession | undefined {
    const previous = this.#bySite.get(session.siteId);
    this.#bySite.set(session.siteId, session);
    this.#onChange();
    return previous;
  }

  /** Removes this very session; a successor under the same site stays. */
  remove(session: DeviceSession): void {
    if (this.#bySite.get(session.siteId) !== session) return;
    this.#bySite.delete(session.siteId);
    this.#onChange();
  }
}
