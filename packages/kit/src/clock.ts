/** Where time comes from, so that tests can move it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch; may jump when the system's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start; never jumps and never runs backwards. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that moves only when it is told to. Both readings advance together unless `jump` is used. */
export class ManualClock implements Clock {
  #now: number;
  #monotonic = 0;

  constructor(nowMs: number) {
    this.#now = nowMs;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }

  /** Sets the wall clock alone, as NTP or a user would. */
  jump(toMs: number): void {
    this.#now = toMs;
  }
}
