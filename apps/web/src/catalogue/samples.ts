import type { MetricChange, MetricDefinition } from '@heliograph/client';
import type { CurveSeries } from '../shared/components/curve/series.ts';
import { toneOf } from '../shared/format/tone.ts';

type Row = readonly [
  topic: string,
  name: string,
  unit: MetricDefinition['unit'],
  value: MetricChange['value'],
];

const TOTALS: readonly Row[] = [
  ['total/pv_power', 'PV power', 'W', 3_420],
  ['total/load_power', 'Load power', 'W', 1_180],
  ['total/grid_power', 'Grid power', 'W', -640],
  ['total/battery_power', 'Battery power', 'W', 1_600],
  ['total/battery_state_of_charge', 'Battery state of charge', '%', 64],
  ['total/pv_energy', 'PV energy', 'kWh', 14.82],
  ['total/load_energy', 'Load energy', 'kWh', 8.1],
  ['total/grid_energy_in', 'Grid energy in', 'kWh', 0.94],
  ['total/grid_energy_out', 'Grid energy out', 'kWh', 3.2],
  ['total/battery_energy_in', 'Battery energy in', 'kWh', 6.35],
  ['total/battery_energy_out', 'Battery energy out', 'kWh', 1.9],
];

export const totalDefinitions = TOTALS.map(
  ([topic, name, unit]): MetricDefinition => ({
    topic,
    name,
    unit,
    device: 'totals',
    number: null,
    group: 'Status',
  }),
);

export const totalValues: readonly MetricChange[] = TOTALS.map(([topic, , , value]) => ({ topic, value }));

/** Values as a device sends them after it has had no reading for too long. */
export const staleValues: readonly MetricChange[] = totalValues.map(({ topic }) => ({
  topic,
  value: null,
  stale: true,
}));

const DAY_S = 86_400;

/** The midnight that the sample day begins with, UTC, in seconds since 1970. */
export const SAMPLE_DAY_S = Date.UTC(2026, 5, 21) / 1000;

const TIMES = Array.from({ length: 288 }, (_, index) => SAMPLE_DAY_S + (index * DAY_S) / 288);

/** A summer's day; from four to half past five in the afternoon nothing is known. */
export function sampleDay(): CurveSeries[] {
  const sun = TIMES.map((time) => Math.max(0, Math.sin(((hourOf(time) - 5) / 16) * Math.PI)) ** 1.5 * 5_200);
  const load = TIMES.map(
    (time, index) => 350 + 900 * Math.abs(Math.sin(hourOf(time) / 2.1)) + ((index * 37) % 90),
  );
  const charge = TIMES.map((time) => 55 - 35 * Math.cos(((hourOf(time) - 6) / 24) * 2 * Math.PI));
  const battery = sun.map((power, index) => Math.max(-2_000, Math.min(2_500, power - (load[index] ?? 0))));
  const grid = sun.map((power, index) => (load[index] ?? 0) + (battery[index] ?? 0) - power);
  return [
    curve('total/pv_power', 'Solar', 'W', sun),
    curve('total/load_power', 'House load', 'W', load),
    curve('total/grid_power', 'Grid', 'W', grid),
    curve('total/battery_power', 'Battery', 'W', battery),
    curve('total/battery_state_of_charge', 'State of charge', '%', charge),
  ];
}

function curve(key: string, name: string, unit: string, values: readonly number[]): CurveSeries {
  const known = values.map((value, index) => {
    const hour = hourOf(TIMES[index] ?? 0);
    return hour >= 16 && hour < 17.5 ? null : Math.round(value);
  });
  return { key, name, unit, tone: toneOf(key), times: TIMES, values: known };
}

function hourOf(timeS: number): number {
  return (timeS - SAMPLE_DAY_S) / 3600;
}

/** Settings of each kind of control. */
export const settingDefinitions: readonly MetricDefinition[] = [
  setting('work_mode', 'Work mode', '', {
    platform: 'select',
    options: ['Self-use', 'Feed-in first', 'Back-up'],
  }),
  setting('battery_reserve', 'Battery reserve', '%', { platform: 'number', min: 5, max: 100, step: 1 }),
  setting('max_charge_current', 'Max charge current', 'A', {
    platform: 'number',
    min: 0,
    max: 120,
    step: 0.5,
  }),
  setting('grid_charge', 'Grid charge', 'Enabled', {
    platform: 'switch',
    payload_on: 'true',
    payload_off: 'false',
  }),
  setting('time_point_1', 'Time point 1', 'hhmm', { platform: 'select', options: quarters() }),
  setting(
    'a_long_name',
    'A setting whose manufacturer found no end when naming it, since it depends on two others and on the weather of the day before',
    'W',
    { platform: 'number', min: -1_000_000, max: 1_000_000, step: 1 },
  ),
];

export const settingValues: readonly MetricChange[] = [
  { topic: 'inverter_1/work_mode', value: 'Self-use' },
  { topic: 'inverter_1/battery_reserve', value: 20 },
  { topic: 'inverter_1/max_charge_current', value: null },
  { topic: 'inverter_1/grid_charge', value: true },
  { topic: 'inverter_1/time_point_1', value: '05:00:00' },
  { topic: 'inverter_1/a_long_name', value: 999_999 },
];

function setting(
  topic: string,
  name: string,
  unit: MetricDefinition['unit'],
  discovery: Partial<MetricDefinition>,
): MetricDefinition {
  return {
    topic: `inverter_1/${topic}`,
    name,
    unit,
    device: 'inverters',
    number: 0,
    group: 'Settings',
    device_class: null,
    state_class: null,
    unit_of_measurement: null,
    ...discovery,
  };
}

function quarters(): string[] {
  return Array.from({ length: 96 }, (_, index) =>
    [Math.floor(index / 4), (index % 4) * 15, 0].map((part) => String(part).padStart(2, '0')).join(':'),
  );
}

/** As many metrics as a large home has, all of which change with each reading. */
export const manyDefinitions = Array.from(
  { length: 200 },
  (_, index): MetricDefinition => ({
    topic: `inverter_${(index % 4) + 1}/measurement_${index}`,
    name: `Measurement ${index}`,
    unit: 'V',
    device: 'inverters',
    number: index % 4,
    group: 'Status',
  }),
);

export function manyValues(): readonly MetricChange[] {
  return manyDefinitions.map(({ topic }) => ({ topic, value: Math.round(Math.random() * 10_000) / 10 }));
}
