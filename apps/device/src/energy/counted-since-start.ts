import type { LocalDay } from '../common/local-time.ts';
import { addEnergy, type EnergyAmount, halfWmsBetween, NO_ENERGY, withoutEnergy } from './energy-amount.ts';
import type { Energy, EnergyState } from './ledger.ts';
import { dayAt } from './period.ts';

/** For so long after the start a clock that is set moves what was counted, in milliseconds. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** The energy counted within it goes to one day, in milliseconds. */
const SLICE_MS = 60_000;

/** The energy of a stretch of the monotonic clock, in half watt-milliseconds by the counter's name. */
interface Slice {
  readonly atMs: number;
  day: LocalDay;
  readonly halfWms: Record<string, number>;
}

/**
 * The energy that this process has counted in its first day, by the monotonic clock: a small computer starts with the
 * clock of its last stop, and counts for that day until a time server sets it.
 */
export class CountedSinceStart {
  readonly #startedMs: number;
  #slices: Slice[] = [];

  /** @param startedMs by the monotonic clock */
  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** @param monotonicMs when the second state was counted */
  note({ days: before }: EnergyState, { days: after }: EnergyState, monotonicMs: number): void {
    if (!this.#isRemembered(monotonicMs)) {
      this.#slices = [];
      return;
    }
    for (const [day, energy] of after) {
      if (before.get(day) !== energy) this.#add(day, before.get(day) ?? {}, energy, monotonicMs);
    }
  }

  /**
   * The state with what was counted moved to the days that a clock shows for it.
   *
   * @param leadMs the wall clock's over the monotonic one
   */
  moved(state: EnergyState, monotonicMs: number, leadMs: number): EnergyState {
    if (!this.#isRemembered(monotonicMs)) return state;
    const days = new Map([...state.days]);
    for (const slice of this.#slices) {
      const { day } = dayAt(slice.atMs + leadMs, state.zone);
      if (day === slice.day) continue;
      const [from, to] = [{ ...days.get(slice.day) }, { ...days.get(day) }];
      for (const [name, halfWms] of Object.entries(slice.halfWms)) {
        from[name] = withoutEnergy(from[name] ?? NO_ENERGY, halfWms);
        to[name] = addEnergy(to[name] ?? NO_ENERGY, halfWms);
      }
      if (Object.values(from).every(isNone)) days.delete(slice.day);
      else days.set(slice.day, from);
      days.set(day, to);
      slice.day = day;
    }
    return { ...state, days };
  }

  #isRemembered(monotonicMs: number): boolean {
    return monotonicMs - this.#startedMs <= REMEMBERED_MS;
  }

  #add(day: LocalDay, before: Energy, after: Energy, monotonicMs: number): void {
    const atMs = Math.floor(monotonicMs / SLICE_MS) * SLICE_MS;
    let slice = this.#slices.findLast((each) => each.day === day);
    if (slice?.atMs !== atMs) {
      slice = { atMs, day, halfWms: {} };
      this.#slices.push(slice);
    }
    for (const [name, amount] of Object.entries(after)) {
      const counted = halfWmsBetween(before[name] ?? NO_ENERGY, amount);
      slice.halfWms[name] = (slice.halfWms[name] ?? 0) + counted;
    }
  }
}

function isNone({ wattHours, rest }: EnergyAmount): boolean {
  return wattHours === 0 && rest === 0;
}
