import type { Clock, Logger } from '@heliograph/kit';
import { FailureLog } from '../common/failure-log.ts';
import { DAY_MS, type LocalDay } from '../common/local-time.ts';
import { faultOf, type StoreFault } from '../storage/database.ts';
import { CountedSinceStart, type Move } from './counters/counted-since-start.ts';
import { addEnergy, type EnergyAmount, kiloWattHours, NO_ENERGY, withoutEnergy } from './energy-amount.ts';
import { type EnergyStore, recentDays, withHours } from './energy-store.ts';
import { FLOWS } from './flows.ts';
import { hourAt, type LocalHour } from './hours/hour.ts';
import {
  advanceHours,
  type HourAmounts,
  type HourLedger,
  openHourLedger,
  sumOfAmounts,
  withMoves,
} from './hours/hour-ledger.ts';
import {
  advanceLedger,
  type Energy,
  type EnergyState,
  energyOf,
  enterDay,
  isBelievable,
  type Ledger,
  type Moment,
  openLedger,
  type PowerReadings,
} from './ledger.ts';
import { dayAt, type EnergyPeriod } from './period.ts';

export interface EnergyMeterOptions {
  readonly store: EnergyStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly zone: string;
  readonly period: EnergyPeriod;
  /** False while the store cannot be read: what was counted before is then unknown, and so is every total. */
  readonly isComplete?: () => boolean;
  /** Called when the wall clock was set. */
  readonly onClockSet?: (correction: ClockCorrection) => void;
}

/** A wall clock that goes apart from the monotonic one by more than this was set, in milliseconds. */
const CLOCK_SET_MS = 60_000;

/** The wall clock was set, from one reading to another, both in milliseconds since the epoch. */
export interface ClockCorrection {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How many corrections are kept; the oldest go first. */
const MAX_CORRECTIONS = 50;

/** Kilowatt-hours by the counter's name; null when nothing was counted yet. */
export type Totals = ReadonlyMap<string, number | null>;

/** Turns the powers of each poll into the energy of days and periods, and stores it before it is shown. */
export class EnergyMeter {
  readonly #options: EnergyMeterOptions;
  readonly #failureLog: FailureLog;
  readonly #daysSinceStart: CountedSinceStart;
  readonly #hoursSinceStart: CountedSinceStart;
  #ledger: Ledger;
  #hours: HourLedger;
  /** The wall clock's lead over the monotonic one, in milliseconds. */
  #leadMs: number;
  readonly #corrections: ClockCorrection[] = [];
  #failure: StoreFault | null = null;

  constructor(options: EnergyMeterOptions) {
    this.#options = options;
    const { zone, logger } = options;
    this.#failureLog = new FailureLog(
      logger,
      'energy totals cannot be stored',
      'energy totals are stored again',
    );
    const now = this.#now();
    this.#leadMs = now.wallMs - now.monotonicMs;
    this.#daysSinceStart = new CountedSinceStart(now.monotonicMs);
    this.#hoursSinceStart = new CountedSinceStart(now.monotonicMs);
    const stored = this.#stored();
    const unsaved = stored === undefined ? new Map() : options.store.unsavedHours(stored.day);
    this.#ledger = openLedger(stored, now, zone);
    this.#hours = openHourLedger(unsaved, now, zone);
  }

  /**
   * @param longestGapMs how far apart two readings may be to have energy between them, in milliseconds
   * @returns the totals of the current period
   */
  advance(readings: PowerReadings, longestGapMs: number): Totals {
    const { zone, period } = this.#options;
    const before = this.#ledger.state;
    const now = this.#now();
    this.#noteClock(now);
    if (readings.size > 0) this.#notePeriod(now);
    const counting = enterDay(this.#ledger, now, zone);
    this.#ledger = advanceLedger(counting, readings, now, { zone, longestGapMs });
    const { state, counted, last } = this.#ledger;
    this.#hours = advanceHours(this.#hours, counted, now, {
      zone,
      known: last.keys(),
      stored: this.#storedHour,
    });
    for (const { day, name, halfWms } of counted)
      this.#daysSinceStart.note(day, { [name]: halfWms }, now.monotonicMs);
    for (const [hour, amounts] of this.#hours.added)
      this.#hoursSinceStart.note(hour, amounts, now.monotonicMs);
    if (state !== before) this.#store(state);
    return this.#totalsOf(energyOf(state, period));
  }

  get state(): EnergyState {
    return this.#ledger.state;
  }

  /** Since the device was started, the oldest first. */
  get clockCorrections(): readonly ClockCorrection[] {
    return this.#corrections;
  }

  /** Why the last energy could not be stored; null where it was. */
  get failure(): StoreFault | null {
    return this.#failure;
  }

  /** The energy of hours that is not stored yet, and that of the current hour. */
  get recentHours(): ReadonlyMap<LocalHour, HourAmounts> {
    return this.#hours.hours;
  }

  /** Whether something was counted for an hour. */
  hasHour(hour: LocalHour): boolean {
    return this.#hours.hours.has(hour) || this.#storedHour(hour) !== undefined;
  }

  /** Adds to hours, and to their days where those are not known otherwise, and stores it. @throws the disk's error */
  addHours(hours: ReadonlyMap<LocalHour, HourAmounts>): void {
    const sums = new Map(this.#hours.hours);
    for (const [hour, amounts] of hours)
      sums.set(hour, sumOfAmounts(sums.get(hour) ?? this.#storedHour(hour), amounts));
    this.#hours = { ...this.#hours, hours: sums };
    const { state } = this.#ledger;
    const unknown = this.#options.store.unknownDays ?? new Set(recentDays(state.day));
    this.#ledger = {
      ...this.#ledger,
      state: { ...state, days: withHours(state.days, hours, state.zone, unknown) },
    };
    this.#save(this.#ledger.state);
  }

  /** The totals of the current day. */
  today(): Totals {
    return this.#totalsOf(energyOf(this.#ledger.state, 'daily'));
  }

  #totalsOf(energy: Energy): Totals {
    return totalsOf(this.#options.isComplete?.() === false ? {} : energy);
  }

  /**
   * Another period sets the counters, which who adds them up from their history must not take for energy. It counts from
   * the first poll on that shows them, so that no reading of the former period comes after it.
   */
  #notePeriod({ wallMs }: Moment): void {
    const { store, period } = this.#options;
    if (store.period === period || !isBelievable(wallMs)) return;
    try {
      store.changePeriod(this.#ledger.state, period, wallMs);
    } catch (error) {
      this.#failureLog.failed(error);
    }
  }

  #noteClock({ wallMs, monotonicMs }: Moment): void {
    const leadMs = wallMs - monotonicMs;
    const byMs = leadMs - this.#leadMs;
    this.#leadMs = leadMs;
    if (Math.abs(byMs) <= CLOCK_SET_MS) return;
    this.#corrections.push({ fromMs: wallMs - byMs, toMs: wallMs });
    if (this.#corrections.length > MAX_CORRECTIONS) this.#corrections.shift();
    this.#options.onClockSet?.({ fromMs: wallMs - byMs, toMs: wallMs });
    const [from, to] = [wallMs - byMs, wallMs].map((atMs) => new Date(atMs).toISOString());
    this.#options.logger.warn(
      { from, to },
      isBelievable(wallMs)
        ? 'the clock was set, and energy is counted for the day that it shows now'
        : 'the clock was set to a time before this software: energy is counted for the day before that',
    );
    const { zone } = this.#options;
    const entered = enterDay(this.#ledger, { wallMs, monotonicMs }, zone);
    // One that is not set yet, or is set back a little over midnight, stays on its day.
    if (entered.state.day !== dayAt(wallMs, zone).day) return;
    const { state } = this.#ledger;
    const dayMoves = this.#daysSinceStart.moves(monotonicMs, (atMs) => dayAt(atMs + leadMs, state.zone).day);
    this.#ledger = { ...this.#ledger, state: { ...state, days: withDayMoves(state.days, dayMoves) } };
    const hourMoves = this.#hoursSinceStart.moves(monotonicMs, (atMs) => hourAt(atMs + leadMs, zone));
    this.#hours = withMoves(this.#hours, hourMoves, this.#storedHour);
  }

  readonly #storedHour = (hour: LocalHour): HourAmounts | undefined => this.#options.store.hours.hour(hour);

  /** A damaged day begins again: it is no reason not to start, nor to lose the others. */
  #stored(): EnergyState | undefined {
    const { store, logger, zone } = this.#options;
    return store.load(zone, (day, reason) => {
      if (day === undefined)
        logger.error({ reason }, 'the stored state of the energy is damaged, its days stay');
      else
        logger.error({ reason, day: dateOf(day) }, 'the stored energy of a day is damaged and begins again');
    });
  }

  /** A full or dying disk costs what a power cut would lose, not the readings. */
  #store(state: EnergyState): void {
    try {
      this.#save(state);
      this.#failure = null;
      this.#failureLog.succeeded();
    } catch (error) {
      this.#failure = faultOf(error);
      this.#failureLog.failed(error);
    }
  }

  /** Hours that are over are dropped once they are stored. */
  #save(state: EnergyState): void {
    this.#options.store.save(state, this.#hours);
    const { current, hours } = this.#hours;
    if (hours.size === 1 && hours.has(current.startMs)) return;
    const running = [...hours].filter(([hour]) => hour === current.startMs);
    this.#hours = { ...this.#hours, hours: new Map(running) };
  }

  #now(): Moment {
    const { clock } = this.#options;
    return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
  }
}

function withDayMoves(days: EnergyState['days'], moves: readonly Move[]): EnergyState['days'] {
  const moved = new Map<LocalDay, Energy>(days);
  for (const { from, to, amounts } of moves) {
    const [left, gained] = [{ ...moved.get(from) }, { ...moved.get(to) }];
    for (const [name, halfWms] of Object.entries(amounts)) {
      left[name] = withoutEnergy(left[name] ?? NO_ENERGY, halfWms);
      gained[name] = addEnergy(gained[name] ?? NO_ENERGY, halfWms);
    }
    if (Object.values(left).every(isNone)) moved.delete(from);
    else moved.set(from, left);
    moved.set(to, gained);
  }
  return moved;
}

function isNone({ wattHours, rest }: EnergyAmount): boolean {
  return wattHours === 0 && rest === 0;
}

function dateOf(day: LocalDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function totalsOf(energy: Energy): Totals {
  return new Map(
    FLOWS.map(({ quantity: { name } }) => {
      const amount = energy[name];
      return [name, amount === undefined ? null : kiloWattHours(amount)];
    }),
  );
}
