/** How finely time is cut, in milliseconds. */
export const TICK_MS = 50;

/** Events in simulated time, at most one for each of so many things. */
export class Calendar {
  readonly #due: number[][] = [];
  /** The tick at which each thing's event is; an older entry of it in `#due` is void. */
  readonly #planned: Int32Array;
  readonly #last: number;
  #tick = 0;

  /** @param horizonMs later events are dropped */
  constructor(things: number, horizonMs: number) {
    this.#planned = new Int32Array(things);
    this.#last = Math.ceil(horizonMs / TICK_MS);
  }

  get nowMs(): number {
    return this.#tick * TICK_MS;
  }

  /** Plans the event of a thing; its earlier plan is void. */
  plan(thing: number, afterMs: number): void {
    const tick = this.#tick + Math.max(1, Math.round(afterMs / TICK_MS));
    this.#planned[thing] = tick;
    if (tick > this.#last) return;
    const due = this.#due[tick];
    if (due === undefined) this.#due[tick] = [thing];
    else due.push(thing);
  }

  cancel(thing: number): void {
    this.#planned[thing] = 0;
  }

  /** Advances by a tick. @returns the due events; undefined at the horizon */
  next(): readonly number[] | undefined {
    if (this.#tick >= this.#last) return undefined;
    this.#tick++;
    const due = this.#due[this.#tick] ?? [];
    delete this.#due[this.#tick];
    return due.filter((thing) => this.#planned[thing] === this.#tick);
  }
}
