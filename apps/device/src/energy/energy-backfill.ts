import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';
import { HOURS_REACHED } from '../storage/salvage/store-loss.ts';
import { HALF_WMS_PER_WH } from './energy-amount.ts';
import type { EnergyMeter } from './energy-meter.ts';
import { hourAt, type LocalHour } from './hours/hour.ts';
import { COUNTERS, type Counter, type HourAmounts, sumOfAmounts } from './hours/hour-ledger.ts';
import { isBelievable } from './ledger.ts';
import { transfersOf } from './transfers.ts';

/** Energy that the counters counted in a short time, in kWh; a counter that is unknown is absent. */
export interface RecordedStep {
  /** When it begins, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly lengthMs: number;
  /** Whether there are readings of a power. */
  readonly isCovered: boolean;
  readonly kwh: Partial<Readonly<Record<Counter, number>>>;
}

/** Reads the history, in milliseconds since the epoch, in the order of time. */
export type ReadRecorded = (fromMs: number, toMs: number) => Promise<readonly RecordedStep[]>;

export interface BackfillOptions {
  readonly read: ReadRecorded;
  readonly meter: Pick<EnergyMeter, 'addHours' | 'hasHour'>;
  readonly store: Pick<KeyValueStore, 'get' | 'json' | 'set'>;
  readonly zone: string;
  /** Since when anything is known, in milliseconds since the epoch; undefined while nothing is. */
  readonly since: () => number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called with each moment since when the history is in the hours. */
  readonly onReached?: (fromMs: number) => void;
}

/** So much of the history is read at once, in milliseconds. */
const CHUNK_MS = 7 * 24 * 60 * 60 * 1000;

const MOMENT = Compile(Type.Integer());

/**
 * Gives the energy of hours that are not known to a device whose earlier version counted days alone, or that lost them, from
 * its history, the newest first. It goes on after a restart where it was, and a history that cannot be read is tried again
 * at the next start.
 */
export async function backfillEnergy(options: BackfillOptions): Promise<void> {
  const { read, meter, store, zone, since, clock, logger, signal, onReached } = options;
  const nowMs = clock.now();
  if (!isBelievable(nowMs)) return;
  const startHour = hourAt(nowMs, zone);
  // From then on readings are counted for it.
  const hasStartHour = meter.hasHour(startHour);
  const reached = store.json(HOURS_REACHED, MOMENT, nowMs);
  try {
    const sinceMs = since() ?? nowMs;
    for (let endMs = reached; endMs > sinceMs; ) {
      const fromMs = hourAt(endMs - CHUNK_MS, zone);
      const hours = new Map<LocalHour, HourAmounts>();
      for (const step of await read(fromMs, endMs)) {
        const hour = hourAt(step.atMs, zone);
        if (hour === startHour ? hasStartHour : meter.hasHour(hour)) continue;
        hours.set(hour, sumOfAmounts(hours.get(hour), amountsOf(step)));
      }
      if (signal.aborted) return;
      meter.addHours(hours);
      store.set(HOURS_REACHED, String(fromMs));
      onReached?.(fromMs);
      endMs = fromMs;
    }
    if (store.get(HOURS_REACHED) === undefined) store.set(HOURS_REACHED, String(nowMs));
  } catch (error) {
    if (signal.aborted) return;
    logger.warn(
      { reason: messageOf(error) },
      'the energy of earlier hours cannot be read from the history yet',
    );
  }
}

function amountsOf({ lengthMs, isCovered, kwh }: RecordedStep): HourAmounts {
  const flows: Partial<Record<Counter, number>> = {};
  for (const counter of COUNTERS) {
    const counted = kwh[counter];
    if (counted !== undefined) flows[counter] = Math.round(counted * 1000 * HALF_WMS_PER_WH);
  }
  return { covered_ms: isCovered ? lengthMs : 0, ...flows, ...transfersOf(flows) };
}
