import { setTimeout as delay } from 'node:timers/promises';
import type { ByteBus } from '../../bus/byte-bus.ts';

/** Keeps requests on a bus apart: a BMS that is asked too soon says nothing at all. */
class Pace {
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #tail: Promise<unknown> = Promise.resolve();

  /** Makes the request once it is its turn and so much time has passed since the one before was sent. */
  run<T>(gapMs: number, request: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      const waitMs = this.#lastSentAt + gapMs - performance.now();
      if (waitMs > 0) await delay(Math.ceil(waitMs));
      this.#lastSentAt = performance.now();
      return request();
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}

const paces = new WeakMap<ByteBus, Pace>();

/** Of the bus, not of one BMS: those on one line count together. */
export function paceOf(bus: ByteBus): Pace {
  const pace = paces.get(bus) ?? new Pace();
  paces.set(bus, pace);
  return pace;
}
