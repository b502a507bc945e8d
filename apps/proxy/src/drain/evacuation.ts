import type { DeviceSession } from '../tunnels/device-session.ts';
import type { SessionRegistry } from '../tunnels/session-registry.ts';

/** All devices are asked within this time, in milliseconds, so that they do not come to the cloud in one instant. */
const SPREAD_MS = 12_000;
const TICK_MS = 100;
/** At least so many are asked at each tick: few devices are gone in no time. */
const MIN_AT_ONCE = 20;
/** Devices that are still here after so long are asked again, in milliseconds. */
const ASK_AGAIN_MS = 60_000;

/** Asks every device to dial another proxy, spread over time. */
export class Evacuation {
  readonly #registry: SessionRegistry;
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
  }

  start(): void {
    if (this.#timer === undefined) this.#round();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #round(): void {
    const sessions = [...this.#registry.all()];
    const atOnce = Math.max(MIN_AT_ONCE, Math.ceil(sessions.length / (SPREAD_MS / TICK_MS)));
    this.#fetchOnce(sessions, 0, atOnce);
  }

  #fetchOnce(sessions: readonly DeviceSession[], from: number, atOnce: number): void {
    for (const session of sessions.slice(from, from + atOnce)) session.requestMove();
    const next = from + atOnce;
    this.#timer =
      next < sessions.length
        ? setTimeout(() => this.#fetchOnce(sessions, next, atOnce), TICK_MS)
        : setTimeout(() => this.#round(), ASK_AGAIN_MS).unref();
  }
}
