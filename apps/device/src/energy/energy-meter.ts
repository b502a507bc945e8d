import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { FailureLog } from '../common/failure-log.ts';
import { kiloWattHours } from './energy-amount.ts';
import { DamagedEnergy, type EnergyStore } from './energy-store.ts';
import { FLOWS } from './flows.ts';
import {
  advanceLedger,
  type EnergyState,
  type Ledger,
  type Moment,
  openLedger,
  type PowerReadings,
} from './ledger.ts';
import type { EnergyPeriod } from './period.ts';

export interface EnergyMeterOptions {
  readonly store: EnergyStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly zone: string;
  readonly period: EnergyPeriod;
}

/** Turns the powers of each poll into the energy of the current period, and stores it before it is shown. */
export class EnergyMeter {
  readonly #options: EnergyMeterOptions;
  readonly #failureLog: FailureLog;
  #ledger: Ledger;

  constructor(options: EnergyMeterOptions) {
    this.#options = options;
    const { zone, period, logger } = options;
    this.#failureLog = new FailureLog(
      logger,
      'energy totals cannot be stored',
      'energy totals are stored again',
    );
    this.#ledger = openLedger(this.#stored(), this.#now(), { zone, period, longestGapMs: 0 });
  }

  /**
   * @param longestGapMs how far apart two readings may be to have energy between them, in milliseconds
   * @returns kilowatt-hours by the counter's name; null when nothing was counted in this period yet
   */
  advance(readings: PowerReadings, longestGapMs: number): ReadonlyMap<string, number | null> {
    const { zone, period } = this.#options;
    const before = this.#ledger.state;
    this.#ledger = advanceLedger(this.#ledger, readings, this.#now(), { zone, period, longestGapMs });
    const { state } = this.#ledger;
    if (state !== before) this.#store(state);
    return new Map(
      FLOWS.map(({ quantity: { name } }) => {
        const amount = state.amounts[name];
        return [name, amount === undefined ? null : kiloWattHours(amount)];
      }),
    );
  }

  /** Totals that are damaged begin anew: what is left of them would be a wrong sum, and no reason not to start. */
  #stored(): EnergyState | undefined {
    const { store, logger } = this.#options;
    try {
      return store.load();
    } catch (error) {
      if (!(error instanceof DamagedEnergy)) throw error;
      logger.error({ reason: messageOf(error) }, 'the stored energy totals are damaged and begin anew');
      return undefined;
    }
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
