/** For so long after the start a clock that is set moves what was counted, in milliseconds. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** Amounts counted within it go to one day, and to one hour, in milliseconds. */
const SLICE_MS = 60_000;

/** Counted amounts of a day or an hour by their names: whole numbers. */
export type Amounts = Readonly<Record<string, number>>;

/** Amounts that belong to another day or hour. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly amounts: Amounts;
}

interface Slice {
  readonly atMs: number;
  /** The number of a day, or of an hour. */
  slot: number;
  readonly amounts: Record<string, number>;
}

/**
 * The amounts that this process has counted in its first day, by the monotonic clock: a small computer starts with the clock of its last
 * stop, and counts for that day and hour until a time server sets it.
 */
export class CountedSinceStart {
  readonly #startedMs: number;
  #slices: Slice[] = [];

  /** @param startedMs by the monotonic clock */
  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /**
   * @param slot the day or the hour that the amounts were counted for
   * @param monotonicMs when they were counted
   */
  note(slot: number, counted: Amounts, monotonicMs: number): void {
    if (!this.#isRemembered(monotonicMs)) {
      this.#slices = [];
      return;
    }
    const atMs = Math.floor(monotonicMs / SLICE_MS) * SLICE_MS;
    let slice = this.#slices.findLast((each) => each.slot === slot);
    if (slice?.atMs !== atMs) {
      slice = { atMs, slot, amounts: {} };
      this.#slices.push(slice);
    }
    for (const [name, amount] of Object.entries(counted))
      slice.amounts[name] = (slice.amounts[name] ?? 0) + amount;
  }

  /**
   * The amounts that belong elsewhere by a clock that was set; they are moved from now on.
   *
   * @param slotAt the day or the hour that the clock shows for a moment of the monotonic one
   */
  moves(monotonicMs: number, slotAt: (atMs: number) => number): readonly Move[] {
    if (!this.#isRemembered(monotonicMs)) return [];
    const moves: Move[] = [];
    for (const slice of this.#slices) {
      const to = slotAt(slice.atMs);
      if (to === slice.slot) continue;
      moves.push({ from: slice.slot, to, amounts: slice.amounts });
      slice.slot = to;
    }
    return moves;
  }

  #isRemembered(monotonicMs: number): boolean {
    return monotonicMs - this.#startedMs <= REMEMBERED_MS;
  }
}
