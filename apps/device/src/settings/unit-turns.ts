/** So many of a setting's last writes count. */
const REMEMBERED = 5;

/** Hardware does not take the same time for each write. */
const MARGIN = 1.25;

/** A setting and its unit. */
export interface SettingOfUnit {
  readonly unit: string;
  readonly topic: string;
}

/** Writes to each unit, one after the other, and how long its last ones took. */
export class UnitTurns {
  /** By unit, what settles when its last write is over. */
  readonly #tails = new Map<string, Promise<void>>();
  /** By unit and topic, how long the last writes took that came into force, in milliseconds. */
  readonly #durations = new Map<string, Map<string, readonly number[]>>();
  /** By unit, the longest time that a write of its present queue took, in milliseconds. */
  readonly #longestOfQueue = new Map<string, number>();

  /**
   * @param write called at its turn, with the time in milliseconds that the write needs; 0 for one that did not wait for
   *   another: repeated, it would have no more time than now
   */
  run(setting: SettingOfUnit, write: (neededMs: number) => Promise<void>): Promise<void> {
    const { unit } = setting;
    const before = this.#tails.get(unit);
    const result = (before ?? Promise.resolve()).then(() =>
      write(before === undefined ? 0 : this.#neededMs(setting)),
    );
    const tail = result
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(unit) !== tail) return;
        this.#tails.delete(unit);
        this.#longestOfQueue.delete(unit);
      });
    this.#tails.set(unit, tail);
    return result;
  }

  /**
   * Each write counts for those that wait with it: the unit may be slow just now. One that is not in force is read back until
   * the end, which does not show how long the unit takes, so it counts for no others.
   *
   * @param ms from the moment when a write went to the line until its read-backs ended
   */
  took({ unit, topic }: SettingOfUnit, ms: number, { isInForce }: { readonly isInForce: boolean }): void {
    this.#longestOfQueue.set(unit, Math.max(ms, this.#longestOfQueue.get(unit) ?? 0));
    if (!isInForce) return;
    const ofUnit = this.#durations.get(unit) ?? new Map<string, readonly number[]>();
    ofUnit.set(topic, [...(ofUnit.get(topic) ?? []), ms].slice(-REMEMBERED));
    this.#durations.set(unit, ofUnit);
  }

  /** A setting that was not written yet may take as long as any other of its unit. */
  #neededMs({ unit, topic }: SettingOfUnit): number {
    const ofUnit = this.#durations.get(unit);
    const durations = ofUnit?.get(topic) ?? [...(ofUnit?.values() ?? [])].flat();
    return MARGIN * Math.max(this.#longestOfQueue.get(unit) ?? 0, ...durations);
  }
}
