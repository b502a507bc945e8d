import type { Clock, Logger } from '@heliograph/kit';
import { FailureLog } from '../common/failure-log.ts';
import { DAY_MS, type LocalDay } from '../common/local-time.ts';
import { CountedSinceStart } from './counted-since-start.ts';
import { kiloWattHours } from './energy-amount.ts';
import type { EnergyStore } from './energy-store.ts';
import { FLOWS } from './flows.ts';
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
  readonly #sinceStart: CountedSinceStart;
  #ledger: Ledger;
  /** The wall clock's lead over the monotonic one, in milliseconds. */
  #leadMs: number;
  readonly #corrections: ClockCorrection[] = [];

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
    this.#sinceStart = new CountedSinceStart(now.monotonicMs);
    this.#ledger = openLedger(this.#stored(), now, zone);
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
    const { state } = this.#ledger;
    this.#sinceStart.note(counting.state, state, now.monotonicMs);
    if (state !== before) this.#store(state);
    return totalsOf(energyOf(state, period));
  }

  get state(): EnergyState {
    return this.#ledger.state;
  }

  /** Since the device was started, the oldest first. */
  get clockCorrections(): readonly ClockCorrection[] {
    return this.#corrections;
  }

  /** The totals of the current day. */
  today(): Totals {
    return totalsOf(energyOf(this.#ledger.state, 'daily'));
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
    const [from, to] = [wallMs - byMs, wallMs].map((atMs) => new Date(atMs).toISOString());
    this.#options.logger.warn(
      { from, to },
      'the clock was set, and energy is counted for the day that it shows now',
    );
    const { zone } = this.#options;
    const entered = enterDay(this.#ledger, { wallMs, monotonicMs }, zone);
    // One that is not set yet, or is set back a little over midnight, stays on its day.
    if (entered.state.day !== dayAt(wallMs, zone).day) return;
    const state = this.#sinceStart.moved(this.#ledger.state, monotonicMs, leadMs);
    this.#ledger = { ...this.#ledger, state };
  }

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
      this.#options.store.save(state);
      this.#failureLog.succeeded();
    } catch (error) {
      this.#failureLog.failed(error);
    }
  }

  #now(): Moment {
    const { clock } = this.#options;
    return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
  }
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
