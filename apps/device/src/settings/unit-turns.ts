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
  /** By unit, the longest time that a write of its present queue took and was not in force, in milliseconds. */
  readonly #notInForce = new Map<string, number>();

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
        if (this.#tails.get(unit) !== tail) return;
        this.#tails.delete(unit);
        this.#notInForce.delete(unit);
      });
    this.#tails.set(unit, tail);
    return result;
  }

  /**
   * A write that is not in force is read back until the end, which does not show how long the unit takes: it counts only
   * for those that wait with it.
   *
   * @param ms from the moment when a write went to the line until its read-backs ended
   */
  took(unit: string, ms: number, { isInForce }: { readonly isInForce: boolean }): void {
    if (!isInForce) {
      this.#notInForce.set(unit, Math.max(ms, this.#notInForce.get(unit) ?? 0));
      return;
    }
    this.#durations.set(unit, [...(this.#durations.get(unit) ?? []), ms].slice(-REMEMBERED));
  }

  #neededMs(unit: string): number {
    return MARGIN * Math.max(this.#notInForce.get(unit) ?? 0, ...(this.#durations.get(unit) ?? []));
  }
}
