import { setTimeout as delay } from 'node:timers/promises';
import type { ByteBus } from '../bus/byte-bus.ts';

/** The time source of a pace, in milliseconds. */
interface PaceTime {
  now(): number;
  wait(ms: number): Promise<unknown>;
}

const SYSTEM_TIME: PaceTime = { now: () => performance.now(), wait: delay };

/** Keeps requests on a bus apart: a BMS does not answer a request that follows the previous one too soon. */
export class RequestPace {
  readonly #time: PaceTime;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(time: PaceTime = SYSTEM_TIME) {
    this.#time = time;
  }

  /** Makes the request after all earlier ones, at least `gapMs` after the last one was sent. */
  run<T>(gapMs: number, request: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      const waitMs = this.#lastSentAt + gapMs - this.#time.now();
      if (waitMs > 0) await this.#time.wait(Math.ceil(waitMs));
      this.#lastSentAt = this.#time.now();
      return request();
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}

const paces = new WeakMap<ByteBus, RequestPace>();

/** The pace of a bus, which all units on its line share. */
export function paceOf(bus: ByteBus): RequestPace {
  const pace = paces.get(bus) ?? new RequestPace();
  paces.set(bus, pace);
  return pace;
}
