import { type LocalDay, startOfDay } from '../common/local-time.ts';
import { addEnergy, type EnergyAmount, energyBetween, NO_ENERGY, sumOf } from './energy-amount.ts';
import { FLOWS, POWERS, type Power } from './flows.ts';
import { dayAt, type EnergyPeriod, firstDayOf } from './period.ts';

/** By the counter's name; a counter that has counted nothing yet is absent: unknown, not 0. */
export type Energy = Readonly<Record<string, EnergyAmount>>;

/** The state that survives restarts: the energy of each local day. */
export interface EnergyState {
  /** The zone whose midnights part the days. */
  readonly zone: string;
  /** The day that energy is counted for. */
  readonly day: LocalDay;
  readonly days: ReadonlyMap<LocalDay, Energy>;
}

/** A power and when it was read. */
export interface PowerReading {
  /** Null when unknown. */
  readonly powerW: number | null;
  /** Milliseconds of the monotonic clock. */
  readonly readAtMs: number;
}

export type PowerReadings = ReadonlyMap<Power, PowerReading>;

/** The state and what only a running process knows. */
export interface Ledger {
  readonly state: EnergyState;
  /** The day before the state's; undefined where none was seen to end. */
  readonly endedDay: LocalDay | undefined;
  /** When the state's day began by the monotonic clock; -Infinity when that was before this process. */
  readonly dayBeganMonotonicMs: number;
  /** The last reading of each power that is known. */
  readonly last: PowerReadings;
  /** The energy that the last readings added. */
  readonly counted: readonly CountedEnergy[];
}

/** Energy of one counter between two readings, or of the part of it on one side of a midnight. */
export interface CountedEnergy {
  /** The counter's name. */
  readonly name: string;
  readonly power: Power;
  readonly day: LocalDay;
  /** By the monotonic clock, whole milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Half watt-milliseconds, a whole number of at least 0. */
  readonly halfWms: number;
}

export interface Moment {
  /** Wall clock, milliseconds since the epoch; selects the day, and nothing else. */
  readonly wallMs: number;
  /** Monotonic clock, milliseconds; measures durations. */
  readonly monotonicMs: number;
}

export interface LedgerRules {
  readonly zone: string;
  /** Two readings farther apart than this have nothing between them, in milliseconds. */
  readonly longestGapMs: number;
}

/** No home has this power: such a reading is taken as unknown. It also keeps every product a safe integer. */
const IMPLAUSIBLE_W = 100_000_000;

/** A clock before this has not been set yet; a small computer without a battery-backed clock starts so. */
export const EARLIEST_BELIEVABLE_MS = Date.UTC(2026, 0, 1);

/** Whether a wall clock that shows this has been set. @param wallMs milliseconds since the epoch */
export function isBelievable(wallMs: number): boolean {
  return wallMs >= EARLIEST_BELIEVABLE_MS;
}

/** A clock set back by up to this much over a midnight does not return to the day before. */
const REPEATED_MIDNIGHT_MS = 24 * 60 * 60 * 1000;

export function openLedger(stored: EnergyState | undefined, now: Moment, zone: string): Ledger {
  const state = stored
    ? movedTo(zone, stored, now)
    : { zone, day: dayAt(now.wallMs, zone).day, days: new Map() };
  const opened = { state, endedDay: undefined, dayBeganMonotonicMs: -Infinity, last: new Map(), counted: [] };
  return enterDay(opened, now, zone);
}

/**
 * Counted energy stays when the device is set to another time zone: the same days began some hours earlier or later
 * there, which is no reason to begin them again.
 */
function movedTo(zone: string, stored: EnergyState, { wallMs }: Moment): EnergyState {
  if (stored.zone === zone) return stored;
  const shift = dayAt(wallMs, zone).day - dayAt(wallMs, stored.zone).day;
  const days = new Map([...stored.days].map(([day, energy]) => [day + shift, energy]));
  return { zone, day: stored.day + shift, days };
}

/**
 * Counts the energy between the last reading of each power and this one, before a midnight between them for the day
 * that it ended. Returns the same state when nothing was counted, so that nothing needs to be stored.
 */
export function advanceLedger(
  ledger: Ledger,
  readings: PowerReadings,
  now: Moment,
  rules: LedgerRules,
): Ledger {
  const entered = enterDay(ledger, now, rules.zone);
  const { state, endedDay, dayBeganMonotonicMs, last } = entered;
  const known = new Map(last);
  const counted: CountedEnergy[] = [];
  for (const power of POWERS) {
    const to = readings.get(power);
    const from = last.get(power);
    if (to === undefined || !isPlausible(to.powerW)) {
      known.delete(power);
      continue;
    }
    if (from !== undefined && to.readAtMs <= from.readAtMs) continue;
    known.set(power, to);
    if (from === undefined || !isPlausible(from.powerW)) continue;
    const intervalMs = wholeMs(to.readAtMs) - wholeMs(from.readAtMs);
    if (intervalMs > rules.longestGapMs || intervalMs <= 0) continue;
    const sinceMidnightMs = wholeMs(to.readAtMs) - wholeMs(dayBeganMonotonicMs);
    const todayMs = Math.max(0, Math.min(intervalMs, sinceMidnightMs));
    const toMs = wholeMs(to.readAtMs);
    const midnightMs = toMs - todayMs;
    for (const { quantity, direction } of FLOWS.filter((flow) => flow.power === power)) {
      const powers = [oneWay(from.powerW, direction), oneWay(to.powerW, direction)] as const;
      const whole = energyBetween(...powers, intervalMs, intervalMs);
      const today = energyBetween(...powers, intervalMs, todayMs);
      const { name } = quantity;
      if (todayMs > 0)
        counted.push({ name, power, day: state.day, fromMs: midnightMs, toMs, halfWms: today });
      if (todayMs < intervalMs && endedDay !== undefined) {
        const before = { fromMs: toMs - intervalMs, toMs: midnightMs, halfWms: whole - today };
        counted.push({ name, power, day: endedDay, ...before });
      }
    }
  }
  return { ...entered, state: withCounted(state, counted), last: known, counted };
}

/** Days that stay as they are keep their object, so that they need not be stored again. */
function withCounted(state: EnergyState, counted: readonly CountedEnergy[]): EnergyState {
  if (counted.length === 0) return state;
  const days = new Map<LocalDay, Energy>(state.days);
  for (const day of new Set(counted.map((each) => each.day))) {
    const energy = { ...state.days.get(day) };
    for (const { name, halfWms } of counted.filter((each) => each.day === day))
      energy[name] = addEnergy(energy[name] ?? NO_ENERGY, halfWms);
    days.set(day, energy);
  }
  return { ...state, days };
}

/** The energy of the period that the state's day lies in. */
export function energyOf({ day, days }: EnergyState, period: EnergyPeriod): Energy {
  const first = firstDayOf(day, period);
  const sums: Record<string, EnergyAmount> = {};
  for (const [each, energy] of days) {
    // Days after this one are there, too: of a clock that was ahead.
    if (firstDayOf(each, period) !== first) continue;
    for (const [name, amount] of Object.entries(energy)) sums[name] = sumOf(sums[name] ?? NO_ENERGY, amount);
  }
  return sums;
}

/**
 * Counts for another day when the wall clock has come to it, or was set there. A clock that is right again returns to
 * its day, and goes on with what that had counted. One set back a little over midnight does not: the total of a day
 * would return for minutes, which who records it would take for energy.
 */
export function enterDay(ledger: Ledger, now: Moment, zone: string): Ledger {
  const { state } = ledger;
  if (!isBelievable(now.wallMs)) return ledger;
  const { day, startMs } = dayAt(now.wallMs, zone);
  if (day === state.day) return ledger;
  const isSetBack = day < state.day;
  if (isSetBack && now.wallMs >= startOfDay(state.day, zone) - REPEATED_MIDNIGHT_MS) return ledger;
  return {
    ...ledger,
    state: { ...withoutUnsetClock(state, day, zone), day },
    endedDay: state.day,
    dayBeganMonotonicMs: now.monotonicMs - (now.wallMs - startMs),
  };
}

/** The energy counted before the clock was ever set belongs to the day on which it is. */
function withoutUnsetClock(state: EnergyState, day: LocalDay, zone: string): EnergyState {
  const counted = state.days.get(state.day);
  if (counted === undefined || state.day >= dayAt(EARLIEST_BELIEVABLE_MS, zone).day) return state;
  const days = new Map(state.days).set(day, counted);
  days.delete(state.day);
  return { ...state, days };
}

function isPlausible(powerW: number | null): powerW is number {
  return powerW !== null && Math.abs(powerW) < IMPLAUSIBLE_W;
}

function oneWay(powerW: number, direction: 1 | -1): number {
  return Math.max(0, Math.round(powerW * direction));
}

/** Rounding instants, not intervals, lets the intervals of a day add up to the day. */
function wholeMs(monotonicMs: number): number {
  return Math.round(monotonicMs);
}
