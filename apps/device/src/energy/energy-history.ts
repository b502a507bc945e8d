import { setImmediate } from 'node:timers/promises';
import {
  type EnergyAmounts,
  type EnergyAnswer,
  type EnergyStep,
  type EnergyStepName,
  MOST_ENERGY_STEPS,
} from '@heliograph/contracts';
import { BadRequest, type Clock } from '@heliograph/kit';
import { firstDay, nextDay } from '../common/calendar-days.ts';
import { type LocalDay, localDay, localIso, startOfDay } from '../common/local-time.ts';
import { HALF_WMS_PER_WH } from './energy-amount.ts';
import { hourAt, type LocalHour } from './hour.ts';
import { COUNTERS, type HourAmounts, sumOfAmounts } from './hour-ledger.ts';
import type { HourStore } from './hour-store.ts';
import { TRANSFERS } from './transfers.ts';

export interface EnergyHistoryOptions {
  readonly store: Pick<HourStore, 'first' | 'hour' | 'sum'>;
  /** Hours that are not stored, or not as they are. */
  readonly recent: () => ReadonlyMap<LocalHour, HourAmounts>;
  readonly zone: string;
  readonly clock: Clock;
}

export interface EnergyRequest {
  /** Milliseconds since the epoch. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly step?: EnergyStepName | undefined;
}

/** Weeks of an answer to a request that names no beginning. */
const WEEKS = 12;

const HALF_WMS_PER_KWH = HALF_WMS_PER_WH * 1000;

/** The energy of the past, by the calendar of the site. */
export class EnergyHistory {
  readonly #options: EnergyHistoryOptions;

  constructor(options: EnergyHistoryOptions) {
    this.#options = options;
  }

  /** @throws BadRequest about the request */
  async read({ fromMs, toMs, step = 'day' }: EnergyRequest): Promise<EnergyAnswer> {
    const { zone, clock } = this.#options;
    const now = clock.now();
    const since = this.#since();
    const to = toMs ?? nextStep(now, step, zone);
    const from = fromMs ?? beginningOf(step, Math.min(now, to - 1), since, zone);
    if (from >= to) throw new BadRequest('from must be before to');
    const steps: EnergyStep[] = [];
    const starts = startsBetween(from, to, step, zone);
    let sum: HourAmounts = {};
    for (const [i, startMs] of starts.entries()) {
      const endMs = starts[i + 1] ?? nextStep(startMs, step, zone);
      const amounts = this.#sum(startMs, endMs);
      sum = sumOfAmounts(sum, amounts);
      steps.push({ from: localIso(startMs, zone), ...shown(amounts, Math.min(endMs, now) - startMs) });
      // Ten years take a small computer long.
      if (step !== 'hour' || i % 24 === 0) await setImmediate();
    }
    const first = starts[0] ?? from;
    const end = nextStep(starts.at(-1) ?? first, step, zone);
    return {
      time_zone: zone,
      step,
      from: localIso(first, zone),
      to: localIso(end, zone),
      since: since === undefined ? null : localIso(since, zone),
      total: shown(sum, Math.min(end, now) - first),
      steps,
    };
  }

  #since(): LocalHour | undefined {
    const known = [this.#options.store.first(), ...this.#options.recent().keys()];
    const hours = known.filter((hour) => hour !== undefined);
    return hours.length === 0 ? undefined : Math.min(...hours);
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

function shown(amounts: HourAmounts, lengthMs: number): EnergyAmounts {
  const kwh = Object.fromEntries(
    [...COUNTERS, ...TRANSFERS].map((field) => [field, kwhOf(amounts[field])]),
  ) as Pick<EnergyAmounts, (typeof COUNTERS)[number] | (typeof TRANSFERS)[number]>;
  return {
    ...kwh,
    self_sufficiency: partLeft(amounts.load, amounts.grid_to_load),
    self_consumption: partLeft(amounts.pv, amounts.pv_to_grid),
    coverage: lengthMs <= 0 ? 0 : Math.min(1, rounded((amounts.covered_ms ?? 0) / lengthMs, 4)),
  };
}

function kwhOf(halfWms: number | undefined): number | null {
  return halfWms === undefined ? null : rounded(halfWms / HALF_WMS_PER_KWH, 5);
}

function partLeft(whole: number | undefined, gone: number | undefined): number | null {
  if (whole === undefined || gone === undefined || whole <= 0) return null;
  return rounded(1 - Math.min(1, gone / whole), 4);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** @throws BadRequest for more than an answer may have */
function startsBetween(fromMs: number, toMs: number, step: EnergyStepName, zone: string): readonly number[] {
  const starts: number[] = [];
  let at = startOf(fromMs, step, zone);
  while (at < toMs) {
    if (starts.length === MOST_ENERGY_STEPS)
      throw new BadRequest(
        `it would be more than ${MOST_ENERGY_STEPS} steps: ask for a shorter time or longer steps`,
      );
    starts.push(at);
    at = nextStep(at, step, zone);
  }
  return starts;
}

function startOf(atMs: number, step: EnergyStepName, zone: string): number {
  if (step === 'hour') return hourAt(atMs, zone);
  return startOfDay(firstDay(localDay(atMs, zone), step), zone);
}

const HOUR_MS = 60 * 60 * 1000;

function nextStep(atMs: number, step: EnergyStepName, zone: string): number {
  if (step !== 'hour') return startOfDay(nextDay(firstDay(localDay(atMs, zone), step), step), zone);
  const start = hourAt(atMs, zone);
  // A change of the clock by half an hour ends an hour early.
  return Math.max(hourAt(start + HOUR_MS, zone), start + HOUR_MS / 2);
}

function beginningOf(step: EnergyStepName, atMs: number, since: number | undefined, zone: string): number {
  const day = localDay(atMs, zone);
  const first = (): LocalDay => {
    switch (step) {
      case 'hour':
        return day;
      case 'day':
        return firstDay(day, 'month');
      case 'week':
        return firstDay(day, 'week') - 7 * (WEEKS - 1);
      case 'month':
        return firstDay(day, 'year');
      case 'year':
        return firstDay(localDay(Math.min(since ?? atMs, atMs), zone), 'year');
    }
  };
  return startOfDay(first(), zone);
}
