import { setImmediate } from 'node:timers/promises';
import type { EnergyAnswer, EnergyCounterName } from '@heliograph/contracts';
import { type CostSource, type EnergyRequest, energyAnswer } from '@heliograph/contracts/energy-answer';
import type { Clock } from '@heliograph/kit';
import { HALF_WMS_PER_WH } from './energy-amount.ts';
import type { LocalHour } from './hours/hour.ts';
import { type HourAmounts, sumOfAmounts } from './hours/hour-ledger.ts';
import type { HourStore } from './hours/hour-store.ts';

export type { EnergyRequest } from '@heliograph/contracts/energy-answer';

export interface EnergyHistoryOptions {
  readonly store: Pick<HourStore, 'first' | 'hour' | 'sum' | 'between'>;
  /** Hours that are not stored, or not as they are. */
  readonly recent: () => ReadonlyMap<LocalHour, HourAmounts>;
  readonly zone: string;
  readonly clock: Clock;
  /** The costs of the energy; undefined without tariffs. */
  readonly costs?: (energy: EnergyHistory) => CostSource | undefined;
  /** The energy in a time, in kWh, by the counters of the hardware. */
  readonly counters?: (fromMs: number, toMs: number) => Promise<ReadonlyMap<EnergyCounterName, number>>;
}

/** The energy of the past, by the calendar of the site. */
export class EnergyHistory {
  readonly #options: EnergyHistoryOptions;

  constructor(options: EnergyHistoryOptions) {
    this.#options = options;
  }

  /**
   * @param sinceMs energy of hours that begin before it is left out
   * @throws BadRequest about the request
   */
  read(request: EnergyRequest, sinceMs = -Infinity): Promise<EnergyAnswer> {
    const { zone, clock } = this.#options;
    const source = {
      zone,
      nowMs: clock.now(),
      unitsPerKwh: HALF_WMS_PER_WH * 1000,
      since: this.since(),
      sum: (fromMs: number, toMs: number) => this.#sum(Math.max(fromMs, sinceMs), toMs),
      money: this.#options.costs?.(this),
      pause: () => setImmediate(),
    };
    return energyAnswer(source, request);
  }

  /**
   * As `read`, with the counters of the hardware beside; without them where the history cannot be read.
   *
   * @throws BadRequest about the request
   */
  async readCompared(request: EnergyRequest): Promise<EnergyAnswer> {
    const answer = await this.read(request);
    const { counters, clock } = this.#options;
    // Before the first hour that is known nothing was counted from power.
    const fromMs = Math.max(Date.parse(answer.from), this.since() ?? 0);
    const toMs = Math.min(Date.parse(answer.to), clock.now());
    if (counters === undefined || fromMs >= toMs) return answer;
    // The history has its own state, which the page of the device shows.
    const counted = await counters(fromMs, toMs).catch(() => new Map<EnergyCounterName, number>());
    if (counted.size === 0) return answer;
    const rows = [...counted].map(([energy, kwh]) => {
      const own = answer.total[energy];
      return { energy, kwh: roundedKwh(kwh), difference: own === null ? null : roundedKwh(own - kwh) };
    });
    return { ...answer, counters: rows };
  }

  /** The first hour that is known. */
  since(): LocalHour | undefined {
    const known = [this.#options.store.first(), ...this.#options.recent().keys()];
    const hours = known.filter((hour) => hour !== undefined);
    return hours.length === 0 ? undefined : Math.min(...hours);
  }

  /** The hours that begin within a time, in order. */
  hours(fromMs: number, toMs: number): ReadonlyMap<LocalHour, HourAmounts> {
    const { store, recent } = this.#options;
    const hours = new Map(store.between(fromMs, toMs));
    const { size } = hours;
    for (const [hour, amounts] of recent()) if (hour >= fromMs && hour < toMs) hours.set(hour, amounts);
    return hours.size === size ? hours : new Map([...hours].toSorted(([a], [b]) => a - b));
  }

  #sum(fromMs: number, toMs: number): HourAmounts {
    const { store, recent } = this.#options;
    let sum = store.sum(fromMs, toMs);
    for (const [hour, amounts] of recent()) {
      if (hour < fromMs || hour >= toMs) continue;
      // It may be stored as it was before.
      sum = sumOfAmounts(sumOfAmounts(sum, store.hour(hour) ?? {}, -1), amounts);
    }
    return sum;
  }
}

/** As energies of the API, to a watt-hour. */
function roundedKwh(kwh: number): number {
  return Math.round(kwh * 1000) / 1000;
}
