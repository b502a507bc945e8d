import type { TunnelTicket } from '@heliograph/wire';

/**
 * Devices that the cloud sent away although their tokens are good for up to three days: they are not to come back with them,
 * and push aside the device that has their site now.
 */
export class RevokedTickets {
  readonly #now: () => number;
  /** When the token expires that the device had, by uid: newer ones expire later. */
  readonly #byDevice = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add({ uid, expiresAt }: TunnelTicket): void {
    const nowMs = this.#now();
    for (const [other, expiredAt] of this.#byDevice) if (expiredAt < nowMs) this.#byDevice.delete(other);
    this.#byDevice.set(uid, Math.max(expiresAt, this.#byDevice.get(uid) ?? 0));
  }

  /** Whether the token is one of those that the device had when it was sent away. */
  covers({ uid, expiresAt }: TunnelTicket): boolean {
    return expiresAt <= (this.#byDevice.get(uid) ?? 0);
  }
}
