import { TICK_MS } from './calendar.ts';

/** A server with one queue: so many a second, in the order in which they came. */
export class Queue {
  readonly #perTick: number;
  #waiting: number[] = [];
  #served = 0;
  #budget = 0;
  #longest = 0;

  constructor(perSecond: number) {
    this.#perTick = (perSecond * TICK_MS) / 1000;
  }

  get length(): number {
    return this.#waiting.length - this.#served;
  }

  /** The longest that it has been. */
  get longest(): number {
    return this.#longest;
  }

  /** Takes time from the entries that wait, in entries. */
  spend(entries: number): void {
    this.#budget -= entries;
  }

  add(thing: number): void {
    this.#waiting.push(thing);
    this.#longest = Math.max(this.#longest, this.length);
  }

  /** The entries that are served in this tick. */
  serve(): readonly number[] {
    this.#budget = Math.min(this.#budget + this.#perTick, Math.max(this.length, this.#perTick));
    const count = Math.min(Math.floor(this.#budget), this.length);
    if (count <= 0) return [];
    this.#budget -= count;
    const served = this.#waiting.slice(this.#served, this.#served + count);
    this.#served += count;
    if (this.length === 0) {
      this.#waiting = [];
      this.#served = 0;
    }
    return served;
  }
}
