import { chance } from '@heliograph/dev/plant';
import type { FaultEffect } from './hardware.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An alert that returns sooner is the same one. */
const APART_MS = 75 * MINUTE_MS;

/** A kind of fault, and the rule that must raise an alert about it. */
export interface FaultKind {
  readonly name: string;
  /** Null for what must raise nothing. */
  readonly rule: string | null;
  /** A topic without which a home cannot have it. */
  readonly needs?: string;
  readonly effect: FaultEffect;
  readonly lastsMs: number;
  /** Local hour of the day at which it begins. */
  readonly fromHour?: number;
}

const impossible = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1e6]));
const ELECTRIC = ['', ' 1', ' 2', ' 3'].flatMap((part) =>
  ['Grid voltage', 'PV voltage', 'PV current', 'Battery voltage'].map((name) => name + part),
);

export const FAULTS: readonly FaultKind[] = [
  { name: 'cable pulled', rule: 'hardware_silent', effect: { silent: 'all' }, lastsMs: 2 * HOUR_MS },
  {
    name: 'fault of the inverter',
    rule: 'fault',
    needs: 'inverter_1/fault',
    effect: { values: { inverters: { Fault: 'Fan locked' } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'mode of a fault',
    rule: 'fault',
    needs: 'inverter_1/device_mode',
    effect: { values: { inverters: { 'Device mode': 'Fault' } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'warning of the inverter',
    rule: 'hardware_warning',
    needs: 'inverter_1/alarm',
    effect: { values: { inverters: { Alarm: 'Fan warning' } } },
    lastsMs: HOUR_MS,
  },
  { name: 'no sun', rule: 'low_production', effect: { light: 0 }, lastsMs: DAY_MS, fromHour: 4 },
  {
    name: 'battery nearly empty',
    rule: 'battery_low',
    effect: { values: { batteries: { 'State of charge': 3 }, inverters: { 'Battery state of charge': 3 } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'battery hot',
    rule: 'battery_hot',
    needs: 'total/battery_temperature',
    effect: { values: { batteries: { Temperature: 56 }, inverters: { 'Battery temperature': 56 } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'cells apart',
    rule: 'cell_imbalance',
    needs: 'battery_1/cell_voltage_-_imbalance',
    effect: { values: { batteries: { 'Cell voltage - Imbalance': 0.4 } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'inverter hot',
    rule: 'inverter_hot',
    effect: { values: { inverters: { Temperature: 92 } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'grid lost',
    rule: 'grid_lost',
    effect: { values: { inverters: { 'Grid voltage': 0 } } },
    lastsMs: HOUR_MS,
  },
  {
    name: 'power stuck',
    rule: 'value_stuck',
    effect: { frozen: ['PV power'] },
    lastsMs: 13 * HOUR_MS,
    fromHour: 11,
  },
  {
    name: 'values that cannot be',
    rule: 'doubtful_values',
    effect: { values: { inverters: impossible(ELECTRIC.concat('Temperature', 'Grid frequency')) } },
    lastsMs: 3 * HOUR_MS,
  },
  { name: 'bad cable', rule: 'weak_link', effect: { silent: 'second' }, lastsMs: 3 * HOUR_MS },
  { name: 'write refused', rule: 'write_failed', effect: { writes: 'refused' }, lastsMs: HOUR_MS },
  { name: 'write altered', rule: 'write_failed', effect: { writes: 'altered' }, lastsMs: HOUR_MS },
  {
    name: 'clock behind',
    rule: 'clock_behind',
    effect: { clockOffMs: -400 * DAY_MS },
    lastsMs: HOUR_MS,
  },
  { name: 'disk nearly full', rule: 'storage_low', effect: { freeStorageMb: 90 }, lastsMs: HOUR_MS },
  {
    name: 'no history',
    rule: 'history_stopped',
    effect: { history: 'Stopped: the disk is full' },
    lastsMs: HOUR_MS,
  },
];

/** Homes go through these without a fault. */
const HARMLESS: readonly FaultKind[] = [
  { name: 'restart of a router', rule: null, effect: { silent: 'all' }, lastsMs: 4 * MINUTE_MS },
  {
    name: 'fog',
    rule: null,
    effect: { light: 0.1 },
    lastsMs: DAY_MS,
    fromHour: 4,
  },
  { name: 'clock ahead', rule: null, effect: { clockOffMs: 5 * HOUR_MS }, lastsMs: HOUR_MS },
  {
    name: 'battery low for a moment',
    rule: null,
    effect: { values: { batteries: { 'State of charge': 3 }, inverters: { 'Battery state of charge': 3 } } },
    lastsMs: 4 * MINUTE_MS,
  },
  {
    name: 'an impossible value',
    rule: null,
    effect: { values: { inverters: impossible(ELECTRIC.concat('Temperature', 'Grid frequency')) } },
    lastsMs: 1,
  },
];

/** A fault that is planted in a home, in milliseconds since the epoch. */
export interface PlantedFault {
  readonly kind: FaultKind;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface FaultPlan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
  readonly utcOffsetMs: (nowMs: number) => number;
  /** How often each kind occurs. */
  readonly rounds: number;
  readonly topics: ReadonlySet<string>;
}

/** Every kind of fault that a home can have once in each round, apart from each other, in another order each time. */
export function plantFaults({
  fromMs,
  toMs,
  seed,
  utcOffsetMs,
  rounds,
  topics,
}: FaultPlan): readonly PlantedFault[] {
  const kinds = [...FAULTS, ...HARMLESS].filter(({ needs }) => needs === undefined || topics.has(needs));
  const order = Array.from({ length: rounds }, (_, round) =>
    kinds
      .map((kind, index) => ({ kind, at: chance(seed + 71, round, index) }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ kind }) => kind),
  ).flat();
  const everyMs = (toMs - fromMs) / order.length;
  let freeMs = fromMs;
  return order.map((kind, index) => {
    const { fromHour, lastsMs } = kind;
    const dueMs = Math.max(freeMs, fromMs + index * everyMs);
    const beginMs = fromHour === undefined ? dueMs : nextAt(fromHour, dueMs, utcOffsetMs(dueMs));
    freeMs = beginMs + lastsMs + APART_MS;
    return { kind, fromMs: beginMs, toMs: beginMs + lastsMs };
  });
}

/** The next time that local clocks show an hour. */
function nextAt(hour: number, nowMs: number, offsetMs: number): number {
  const midnightMs = Math.floor((nowMs + offsetMs) / DAY_MS) * DAY_MS - offsetMs;
  const atMs = midnightMs + hour * HOUR_MS;
  return atMs >= nowMs ? atMs : atMs + DAY_MS;
}
