import { addEnergy, type EnergyAmount, energyBetween, NO_ENERGY } from './energy-amount.ts';
import { FLOWS, POWERS, type Power } from './flows.ts';
import { type EnergyPeriod, periodStart } from './period.ts';

/** The state that survives restarts: the energy of the current period. */
export interface EnergyState {
  readonly period: EnergyPeriod;
  /** The zone whose midnight begins the period; absent in states of versions that did not store it. */
  readonly zone?: string;
  /** When the period began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** By the counter's name; a counter that has counted nothing yet in this period is absent: unknown, not 0. */
  readonly amounts: Readonly<Record<string, EnergyAmount>>;
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
  /** When the period began by the monotonic clock; -Infinity when that was before this process. */
  readonly startedAtMonotonicMs: number;
  /** The last reading of each power that is known. */
  readonly last: PowerReadings;
}

export interface Moment {
  /** Wall clock, milliseconds since the epoch; selects the period, and nothing else. */
  readonly wallMs: number;
  /** Monotonic clock, milliseconds; measures durations. */
  readonly monotonicMs: number;
}

export interface LedgerRules {
  readonly zone: string;
  readonly period: EnergyPeriod;
  /** Two readings farther apart than this have nothing between them, in milliseconds. */
  readonly longestGapMs: number;
}

/** No home has this power: such a reading is taken as unknown. It also keeps every product a safe integer. */
const IMPLAUSIBLE_W = 100_000_000;

/** A clock before this has not been set yet; a small computer without a battery-backed clock starts so. */
const EARLIEST_BELIEVABLE_MS = Date.UTC(2026, 0, 1);

/** A clock set back by up to this much over a boundary does not begin the same period a second time. */
const REPEATED_BOUNDARY_MS = 24 * 60 * 60 * 1000;

export function openLedger(stored: EnergyState | undefined, now: Moment, rules: LedgerRules): Ledger {
  const { zone, period } = rules;
  const state =
    stored?.period === period
      ? movedTo(zone, stored, now)
      : { period, zone, startedAt: periodStart(now.wallMs, zone, period), amounts: {} };
  return enterPeriod({ state, startedAtMonotonicMs: -Infinity, last: new Map() }, now, zone);
}

/**
 * Counted energy stays when the device is set to another time zone: the same day, week or month began some hours
 * earlier or later there, which is no reason to begin it again.
 */
function movedTo(zone: string, stored: EnergyState, { wallMs }: Moment): EnergyState {
  if (stored.zone === zone) return stored;
  const { zone: before, period, startedAt } = stored;
  if (before === undefined || periodStart(wallMs, before, period) !== startedAt) return { ...stored, zone };
  return { ...stored, zone, startedAt: periodStart(wallMs, zone, period) };
}

/**
 * Counts the energy between the last reading of each power and this one. Returns the same state when nothing
 * was counted, so that nothing needs to be stored.
 */
export function advanceLedger(
  ledger: Ledger,
  readings: PowerReadings,
  now: Moment,
  rules: LedgerRules,
): Ledger {
  const { state, startedAtMonotonicMs, last } = enterPeriod(ledger, now, rules.zone);
  const amounts = { ...state.amounts };
  const known = new Map(last);
  let counted = false;
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
    const countedMs = Math.min(intervalMs, wholeMs(to.readAtMs) - wholeMs(startedAtMonotonicMs));
    if (intervalMs > rules.longestGapMs || countedMs <= 0) continue;
    counted = true;
    for (const { quantity, direction } of FLOWS.filter((flow) => flow.power === power)) {
      const energy = energyBetween(
        oneWay(from.powerW, direction),
        oneWay(to.powerW, direction),
        intervalMs,
        countedMs,
      );
      amounts[quantity.name] = addEnergy(amounts[quantity.name] ?? NO_ENERGY, energy);
    }
  }
  return { state: counted ? { ...state, amounts } : state, startedAtMonotonicMs, last: known };
}

/**
 * Restarts the counters when the wall clock has come to a later period. A clock set forward over a boundary
 * restarts them too. One set back does not: what was counted stays, and by how far the clock went decides
 * whether the boundary restarts them when it passes again.
 */
function enterPeriod(ledger: Ledger, now: Moment, zone: string): Ledger {
  const { state } = ledger;
  const startedAt = periodStart(now.wallMs, zone, state.period);
  if (now.wallMs < EARLIEST_BELIEVABLE_MS) return ledger;
  if (startedAt > state.startedAt) {
    const startedAtMonotonicMs = now.monotonicMs - (now.wallMs - startedAt);
    return { ...ledger, state: { ...state, startedAt, amounts: {} }, startedAtMonotonicMs };
  }
  if (now.wallMs >= state.startedAt - REPEATED_BOUNDARY_MS) return ledger;
  return { ...ledger, state: { ...state, startedAt } };
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
