import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tariff } from '@heliograph/contracts';
import {
  addEnergy,
  COUNTERS,
  dayAt,
  type Energy,
  EnergyStore,
  FLOWS,
  HOURS_REACHED,
  type HourAmounts,
  hourAt,
  type LocalHour,
  machineTimeZone,
  NO_ENERGY,
  sumOfAmounts,
  transfersOf,
} from '@heliograph/device/energy';
import { Batch, HistoryStore, openHistoryDatabase } from '@heliograph/device/history';
import { DATABASE_FILE, KeyValueStore, openDatabase } from '@heliograph/device/storage';
import { TariffStore } from '@heliograph/device/tariffs';
import { systemClock } from '@heliograph/kit';
import { defineMetric, quantities } from '@heliograph/metrics';
import { type PlantReading, simulatedReadings } from './plant/index.ts';

export interface HistorySeed {
  /** Of the device. */
  readonly folder: string;
  /** IANA name of the device's time zone; that of the machine when left out. */
  readonly timeZone?: string;
  readonly nowMs: number;
  /** How many days before now the device has counted energy. */
  readonly energyDays: number;
  /** How many days before now it has recorded curves; they take more time and space. */
  readonly curveDays: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Of the simulation: as fine as the curve of a day, in milliseconds. */
const STEP_MS = 5 * 60 * 1000;

/** No limit: it is far below that of the device. */
const HISTORY_BYTES = 1_000_000_000;

/** Gives a new device the history that it would have recorded of the simulated home. A device that has run keeps its own. */
export async function seedHistory(options: HistorySeed): Promise<void> {
  const { folder, timeZone = machineTimeZone(), nowMs, energyDays, curveDays } = options;
  if (existsSync(join(folder, DATABASE_FILE))) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const toMs = Math.floor(nowMs / STEP_MS) * STEP_MS;
  const days = new Map<number, Energy>();
  const hours = new Map<LocalHour, HourAmounts>();
  const curves: Batch[] = [];
  for (const reading of simulatedReadings({
    fromMs: toMs - energyDays * DAY_MS,
    toMs,
    stepMs: STEP_MS,
    timeZone,
  })) {
    const beganMs = reading.nowMs - STEP_MS;
    const flows = flowsOf(reading);
    const amounts = { covered_ms: STEP_MS, ...flows, ...transfersOf(flows) };
    const hour = hourAt(beganMs, timeZone);
    hours.set(hour, sumOfAmounts(hours.get(hour), amounts));
    const { day } = dayAt(beganMs, timeZone);
    days.set(day, withFlows(days.get(day) ?? {}, flows));
    if (reading.nowMs > toMs - curveDays * DAY_MS) curves.push(batchOf(reading));
  }
  writeEnergy(folder, { timeZone, toMs, days, hours });
  writeCurves(folder, curves);
}

type Flows = Readonly<Record<(typeof COUNTERS)[number], number>>;

/** In half watt-milliseconds. */
function flowsOf({ pvW, loadW, batteryW, gridW }: PlantReading): Flows {
  const energy = (watts: number): number => Math.round(Math.max(0, watts)) * 2 * STEP_MS;
  return {
    pv: energy(pvW[0] + pvW[1]),
    load: energy(loadW),
    battery_in: energy(batteryW),
    battery_out: energy(-batteryW),
    grid_in: energy(gridW),
    grid_out: energy(-gridW),
  };
}

function withFlows(energy: Energy, flows: Flows): Energy {
  return Object.fromEntries(
    FLOWS.map(({ quantity: { name } }, index) => {
      const counter = COUNTERS[index];
      return [name, addEnergy(energy[name] ?? NO_ENERGY, counter === undefined ? 0 : flows[counter])];
    }),
  );
}

interface CountedEnergy {
  readonly timeZone: string;
  readonly toMs: number;
  readonly days: ReadonlyMap<number, Energy>;
  readonly hours: ReadonlyMap<LocalHour, HourAmounts>;
}

function writeEnergy(folder: string, { timeZone, toMs, days, hours }: CountedEnergy): void {
  const db = openDatabase(folder);
  try {
    const last = toMs - 1;
    new EnergyStore(db).save(
      { zone: timeZone, day: dayAt(last, timeZone).day, days },
      { current: { startMs: hourAt(last, timeZone) }, hours },
    );
    // Otherwise the device would count the curves once more.
    const store = new KeyValueStore(db);
    store.set(HOURS_REACHED, String(toMs - hours.size * 60 * 60 * 1000));
    const tariffs = new TariffStore({ store, zone: timeZone, clock: systemClock });
    tariffs.set({ tariffs: [pricesFrom(toMs - hours.size * 60 * 60 * 1000)] });
  } finally {
    db.close();
  }
}

/** Those of a contract with a cheaper night, from before the energy that is known. */
function pricesFrom(atMs: number): Tariff {
  return {
    valid_from: `${new Date(atMs).getUTCFullYear()}-01-01`,
    currency: 'EUR',
    import: [{ price: 0.27, from_hour: 22, to_hour: 6 }, { price: 0.34 }],
    export: [{ price: 0.0778 }],
    fixed_charges: [{ amount: 12.5, per: 'month' }],
  };
}

const CURVES = {
  pv: defineMetric('totals', null, quantities.power('PV power')),
  load: defineMetric('totals', null, quantities.power('Load power')),
  grid: defineMetric('totals', null, quantities.power('Grid power')),
  battery: defineMetric('totals', null, quantities.power('Battery power')),
  charge: defineMetric('totals', null, quantities.stateOfCharge('Battery state of charge')),
};

function batchOf({ nowMs, pvW, loadW, gridW, batteryW, stateOfChargePct }: PlantReading): Batch {
  const batch = new Batch();
  const samples = new Map(
    [
      { definition: CURVES.pv, value: pvW[0] + pvW[1] },
      { definition: CURVES.load, value: loadW },
      { definition: CURVES.grid, value: gridW },
      { definition: CURVES.battery, value: batteryW },
      { definition: CURVES.charge, value: Math.round(stateOfChargePct) },
    ].map(({ definition, value }) => [definition.topic, { definition, value, readAt: nowMs, stale: false }]),
  );
  batch.add({ sequence: 0, takenAt: nowMs - STEP_MS, samples });
  return batch;
}

function writeCurves(folder: string, batches: readonly Batch[]): void {
  const store = new HistoryStore(openHistoryDatabase(folder), HISTORY_BYTES);
  try {
    store.writer.write(batches);
  } finally {
    store.close();
  }
}
