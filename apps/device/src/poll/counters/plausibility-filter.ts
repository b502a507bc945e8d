import type { Clock } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Reading, Unit, Withheld } from '../../drivers/driver.ts';
import type { UnitKey } from '../units/unit-key.ts';
import { boundsOf, type Step, stepOf } from './believable.ts';
import { SeenCounters } from './seen-counters.ts';

/** A value that the hardware reports and that is not believed. */
export interface Doubtful {
  readonly unit: UnitKey;
  readonly quantity: Quantity;
  /** As the hardware reported it last. */
  readonly value: number;
  /** Polls in a row. */
  readonly polls: number;
}

/** A value beyond its step is believed after this many readings at the earliest. */
export const MIN_DOUBTFUL_POLLS = 3;

/** Readings further apart than this, or than three intervals, are not in a row, in milliseconds. */
const MAX_GAP_MS = 60_000;
const MAX_GAP_INTERVALS = 3;

/** An inverter that has run for so long has booted, in milliseconds: its lifetime counter of 0 was set back. */
const BOOT_MS = 60 * 60_000;

/** So has any other by then, in milliseconds. It is a whole day, of which a counter of 0 is the truth. */
const MAX_BOOT_MS = 24 * 60 * 60_000;

const SERIAL_NUMBER = 'Serial number';

/** An unknown one of these makes the load unknown: it would no longer be what remains of them. */
const BALANCED: readonly string[] = ['PV power', 'Grid power', 'Battery power', 'Generator power'];
const LOAD = 'Load power';

interface Believed {
  readonly value: number;
  readonly atMs: number;
}

/** A value that is withheld, by the monotonic clock. */
interface Doubt extends Doubtful {
  readonly sinceMs: number;
  /** Since when the unit shows in each reading that it runs; undefined while it does not. */
  readonly runsSinceMs: number | undefined;
  /** Whether its unit has certainly booted since. */
  readonly hasBooted: boolean;
  readonly readAtMs: number;
}

export interface PlausibilityOptions {
  /** Of the polls, in milliseconds. */
  readonly intervalMs?: number;
  /** Remembered across restarts. */
  readonly counters?: SeenCounters;
}

/** One value of one unit. */
interface NumberRead {
  readonly key: UnitKey;
  readonly quantity: Quantity;
  readonly value: number;
  /** Whether the same reading shows that the unit runs. */
  readonly runs: boolean;
}

/** Withholds impossible values of one connection before anything else sees them. */
export class PlausibilityFilter {
  readonly #clock: Clock;
  readonly #maxGapMs: number;
  readonly #counters: SeenCounters;
  readonly #believed = new Map<string, Believed>();
  /** By unit and quantity; one that is believed again is removed. */
  readonly #doubtful = new Map<string, Doubt>();
  #withheld = 0;

  constructor(clock: Clock, { intervalMs = 0, counters = new SeenCounters() }: PlausibilityOptions = {}) {
    this.#clock = clock;
    this.#maxGapMs = Math.max(MAX_GAP_MS, MAX_GAP_INTERVALS * intervalMs);
    this.#counters = counters;
  }

  get doubtful(): readonly Doubtful[] {
    return [...this.#doubtful.values()].map(({ unit, quantity, value, polls }) => ({
      unit,
      quantity,
      value,
      polls,
    }));
  }

  /** How many values were withheld since the device was started; one that waits to be believed counts once. */
  get withheldValues(): number {
    return this.#withheld;
  }

  /**
   * @param withheld values that the driver knows to be beyond the bounds of its map
   * @returns the reading with what is not believed as unknown
   */
  filter(key: UnitKey, unit: Unit, reading: Reading, withheld: readonly Withheld[] = []): Reading {
    this.#identify(key, reading);
    const rated = reading.get('Rated power');
    const ratedW = typeof rated === 'number' ? rated : null;
    const values = new Map<string, MetricValue>(reading);
    const runs = unit.quantities.some((quantity) => isSignOfRunning(quantity, reading.get(quantity.name)));
    // Whether a day's counter began again depends on the lifetime counters of the same reading.
    const ordered = [...unit.quantities].sort((one, other) => rankOf(one) - rankOf(other));
    let isBooting = false;
    for (const quantity of ordered) {
      const { name } = quantity;
      const byDriver = withheld.find((one) => one.name === name);
      const value = byDriver?.value ?? reading.get(name);
      if (typeof value !== 'number') {
        this.#doubtful.delete(idOf(key, name));
        continue;
      }
      const read = { key, quantity, value, runs };
      const isPossible = byDriver === undefined && isWithinBounds(quantity, value, ratedW);
      if (isPossible && this.#believes(read, isBooting)) {
        this.#doubtful.delete(idOf(key, name));
        continue;
      }
      const { hasBooted } = this.#doubt(read, isPossible || quantity.setting !== undefined);
      values.set(name, null);
      isBooting ||= !hasBooted && this.#isKnownCounter(key, quantity);
    }
    const isUnbalanced = BALANCED.some((name) => values.get(name) === null && reading.get(name) !== null);
    if (isUnbalanced && values.has(LOAD)) values.set(LOAD, null);
    return values;
  }

  /** Forgets the values of a unit that another one has replaced. */
  #identify(key: UnitKey, reading: Reading): void {
    const serialNumber = reading.get(SERIAL_NUMBER) ?? null;
    const isAnother = this.#counters.identify(key, serialNumber === null ? null : String(serialNumber));
    if (!isAnother) return;
    for (const known of [this.#believed, this.#doubtful])
      for (const id of known.keys()) if (id.startsWith(`${key} `)) known.delete(id);
  }

  /** @param isBooting whether a lifetime counter of the same reading is withheld, as while the unit boots */
  #believes(read: NumberRead, isBooting: boolean): boolean {
    const { key, quantity, value } = read;
    const step = stepOf(quantity);
    if (step === undefined) return true;
    const id = idOf(key, quantity.name);
    const now = { value, atMs: this.#clock.monotonic() };
    const before = this.#believed.get(id);
    const isCounter = isLifetimeCounter(step);
    if (isCounter && value <= 0 && this.#counters.has(key, quantity.name)) {
      if (this.#counters.isIdentified(key)) return false;
      if (before === undefined && !this.#hasStayed(read, step)) return false;
    }
    if (step.restarts && isBooting && value <= 0 && (before === undefined || before.value > 0)) return false;
    const isExpected =
      before === undefined || isWithin({ ...step, restarts: step.restarts && !isBooting }, before, now);
    if (!isExpected && !this.#hasStayed(read, step)) return false;
    if (isCounter && value <= 0) this.#counters.delete(key, quantity.name);
    // A single value may be a wrong one.
    else if (isCounter && before !== undefined && before.value > 0) this.#counters.add(key, quantity.name);
    this.#believed.set(id, now);
    return true;
  }

  #isKnownCounter(key: UnitKey, quantity: Quantity): boolean {
    const step = stepOf(quantity);
    if (step === undefined || !isLifetimeCounter(step)) return false;
    return this.#counters.has(key, quantity.name) || this.#believed.has(idOf(key, quantity.name));
  }

  /** Whether a doubtful value was read for long enough to be believed. */
  #hasStayed(read: NumberRead, step: Step): boolean {
    const doubt = this.#doubtOf(read, step);
    if (doubt === undefined) return false;
    return doubt.polls >= MIN_DOUBTFUL_POLLS && this.#clock.monotonic() - doubt.sinceMs >= step.patienceMs;
  }

  /** The doubt that a value goes on with; undefined for the first reading of one. */
  #doubtOf({ key, quantity, value }: NumberRead, step: Step | undefined): Doubt | undefined {
    const doubt = this.#doubtful.get(idOf(key, quantity.name));
    const now = { value, atMs: this.#clock.monotonic() };
    if (doubt === undefined || now.atMs - doubt.readAtMs > this.#maxGapMs) return undefined;
    if (step === undefined || isWithin(step, { ...now, value: doubt.value }, now)) return doubt;
    return undefined;
  }

  /** @param countsOnce whether it counts as withheld by its first reading alone */
  #doubt(read: NumberRead, countsOnce: boolean): Doubt {
    const { key, quantity, value, runs } = read;
    const readAtMs = this.#clock.monotonic();
    const before = this.#doubtOf(read, stepOf(quantity));
    const { polls: pollsBefore = 0, sinceMs = readAtMs } = before ?? {};
    const polls = pollsBefore + 1;
    const runsSinceMs = runs ? (before?.runsSinceMs ?? readAtMs) : undefined;
    const isLong = readAtMs - (runsSinceMs ?? readAtMs) >= BOOT_MS || readAtMs - sinceMs >= MAX_BOOT_MS;
    const hasBooted = before?.hasBooted === true || (isLong && polls >= MIN_DOUBTFUL_POLLS);
    const doubt = { unit: key, quantity, value, polls, sinceMs, readAtMs, runsSinceMs, hasBooted };
    this.#doubtful.set(idOf(key, quantity.name), doubt);
    if (!countsOnce || before === undefined) this.#withheld += 1;
    return doubt;
  }
}

function isWithinBounds(quantity: Quantity, value: number, ratedW: number | null): boolean {
  const bounds = boundsOf(quantity, ratedW);
  return bounds === undefined || (value >= bounds.min && value <= bounds.max);
}

function isLifetimeCounter({ falls, restarts }: Step): boolean {
  return !falls && !restarts;
}

/** Power that flows, or energy that was counted: a unit that boots reports zeros. */
function isSignOfRunning(quantity: Quantity, value: MetricValue | undefined): boolean {
  if (typeof value !== 'number' || value === 0 || quantity.setting !== undefined) return false;
  if (quantity.unit === 'W') return quantity.stateClass === 'measurement';
  const step = stepOf(quantity);
  return step !== undefined && isLifetimeCounter(step);
}

function rankOf(quantity: Quantity): number {
  return stepOf(quantity)?.restarts ? 1 : 0;
}

function isWithin({ step, perSecond, falls, restarts }: Step, before: Believed, now: Believed): boolean {
  const change = now.value - before.value;
  const most = step + (perSecond * (now.atMs - before.atMs)) / 1000;
  if (Math.abs(change) <= most && (change >= 0 || falls)) return true;
  // A day's counter begins at zero; it has counted little by the next poll.
  return restarts && change < 0 && now.value <= most;
}

function idOf(key: UnitKey, name: string): string {
  return `${key} ${name}`;
}
