/** So many of a unit's last writes count. */
const REMEMBERED = 5;

/** Hardware does not take the same time for each write. */
const MARGIN = 1.25;

/** Writes to each unit, one after the other, and how long its last ones took. */
export class UnitTurns {
  /** By unit, what settles when its last write is over. */
  readonly #tails = new Map<string, Promise<void>>();
  /** By unit, in milliseconds. */
  readonly #durations = new Map<string, readonly number[]>();

  /**
   * @param write called at its turn, with the time in milliseconds that writes to the unit need; 0 for one that did not wait
   *   for another: repeated, it would have no more time than now
   */
  run(unit: string, write: (neededMs: number) => Promise<void>): Promise<void> {
    const before = this.#tails.get(unit);
    const result = (before ?? Promise.resolve()).then(() =>
      write(before === undefined ? 0 : this.#neededMs(unit)),
    );
    const tail = result
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(unit) === tail) this.#tails.delete(unit);
      });
    this.#tails.set(unit, tail);
    return result;
  }

  /** @param ms from the moment when a write went to the line until its read-backs ended */
  took(unit: string, ms: number): void {
    this.#durations.set(unit, [...(this.#durations.get(unit) ?? []), ms].slice(-REMEMBERED));
  }

  #neededMs(unit: string): number {
    return MARGIN * Math.max(0, ...(this.#durations.get(unit) ?? []));
  }
}
