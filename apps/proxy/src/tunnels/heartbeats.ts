import { TUNNEL_PING_INTERVAL_MS, TUNNEL_PING_TIMEOUT_MS } from '@heliograph/wire';
import type { Link, PingTimings } from '../links/link.ts';

/** How often the timer ticks at most, in milliseconds. */
const TICK_MS = 250;
/** How often a link is looked at within the shorter of its times. */
const CHECKS_PER_TIMEOUT = 2;

/**
 * Looks after every link with one timer, a part of them at each tick, so that tens of thousands cost neither a timer
 * each nor a burst.
 */
export class Heartbeats {
  readonly #times: PingTimings;
  readonly #tickMs: number;
  readonly #slots: Link[][];
  #timer: NodeJS.Timeout | undefined;
  #added = 0;
  #ticks = 0;
  #tickedMs = 0;
  /** A clock that stands still while this process is held up, which is not the other sides' silence. */
  #clockMs = 0;

  constructor(times: Partial<PingTimings> = {}) {
    const { pingIntervalMs = TUNNEL_PING_INTERVAL_MS, pingTimeoutMs = TUNNEL_PING_TIMEOUT_MS } = times;
    this.#times = { pingIntervalMs, pingTimeoutMs };
    const roundMs = Math.min(pingIntervalMs, pingTimeoutMs) / CHECKS_PER_TIMEOUT;
    const slots = Math.max(1, Math.ceil(roundMs / TICK_MS));
    this.#tickMs = roundMs / slots;
    this.#slots = Array.from({ length: slots }, () => []);
  }

  /** Looks after a link until it ends. */
  add(link: Link): void {
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    this.#slots[this.#added++ % this.#slots.length]?.push(link);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#clockMs += Math.min(nowMs - this.#tickedMs, 2 * this.#tickMs);
    this.#tickedMs = nowMs;
    const index = this.#ticks++ % this.#slots.length;
    const links = this.#slots[index] ?? [];
    this.#slots[index] = links.filter((link) => link.checkLiveness(this.#clockMs, this.#times));
  }
}
