import { equal, ok } from 'node:assert/strict';
import type { DeviceClient, EnergyAmounts } from '@heliograph/client';
import type { Live } from './live.ts';
import { until } from './until.ts';

/** Energies of a home that are counted; what comes in is what goes out. */
export const ENERGIES = ['pv', 'load', 'battery_in', 'battery_out', 'grid_in', 'grid_out'] as const;

/** The counters of these energies, which rise until their period ends. */
const COUNTER_TOPICS: Readonly<Record<(typeof ENERGIES)[number], string>> = {
  pv: 'total/pv_energy',
  load: 'total/load_energy',
  battery_in: 'total/battery_energy_in',
  battery_out: 'total/battery_energy_out',
  grid_in: 'total/grid_energy_in',
  grid_out: 'total/grid_energy_out',
};

/** Sums of amounts that are rounded to a watt-hour each, in kWh. */
const ROUNDING = 0.001;

/** The counters by their topics, in kWh. @throws when one is unknown */
export async function counters(device: DeviceClient): Promise<ReadonlyMap<string, number>> {
  const rows = await device.metrics({ topic: 'total/*' });
  return new Map(
    Object.values(COUNTER_TOPICS).map((topic) => {
      const value = rows.find((row) => row.topic === topic)?.value;
      if (typeof value !== 'number') throw new Error(`${topic} is ${value}`);
      return [topic, value];
    }),
  );
}

/**
 * Reads the counters between two reads of the energy since a moment.
 *
 * @throws when a counter has less than was there before, or more than was there afterwards
 */
export async function assertCountedSince(device: DeviceClient, from: Date): Promise<void> {
  const energy = async () => (await device.energy({ step: 'hour', from })).total;
  const before = await energy();
  const counted = await counters(device);
  const after = await energy();
  for (const name of ENERGIES) {
    const topic = COUNTER_TOPICS[name];
    const kwh = counted.get(topic) ?? Number.NaN;
    const [least, most] = [(before[name] ?? 0) - ROUNDING, (after[name] ?? 0) + ROUNDING];
    ok(least <= kwh && kwh <= most, `${topic} is ${kwh} and not from ${least} to ${most} kWh`);
  }
}

/** @throws when a counter is lower than before */
export function assertNoneFell(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): void {
  for (const [topic, kwh] of before) {
    const now = after.get(topic) ?? Number.NaN;
    ok(now >= kwh, `${topic} fell from ${kwh} to ${now} kWh`);
  }
}

/** @throws when parts are not what the whole is */
export function assertAddUp(whole: EnergyAmounts, parts: readonly EnergyAmounts[]): void {
  for (const name of ENERGIES) {
    const sum = parts.reduce((total, part) => total + (part[name] ?? 0), 0);
    const tolerance = ROUNDING * (parts.length + 1);
    ok(
      Math.abs(sum - (whole[name] ?? Number.NaN)) <= tolerance,
      `${name}: ${sum} and not ${whole[name]} kWh`,
    );
  }
}

/** Hardware loses some of the energy that goes through it: part of all that comes in. */
const LOSS = 0.1;

/** @throws when more goes out than comes in, or far less */
export function assertBalanced({
  pv,
  battery_out,
  grid_in,
  load,
  battery_in,
  grid_out,
}: EnergyAmounts): void {
  const comesIn = (pv ?? 0) + (battery_out ?? 0) + (grid_in ?? 0);
  const goesOut = (load ?? 0) + (battery_in ?? 0) + (grid_out ?? 0);
  ok(comesIn > 0 && Math.abs(comesIn - goesOut) <= LOSS * comesIn, `${comesIn} kWh in, ${goesOut} kWh out`);
}

/** A curve: the mean of each step that has one, by its time in seconds since 1970. */
type Curve = ReadonlyMap<number, number>;

const STEP_S = 10;

/** The power of the house in the last hour, in steps of ten seconds. */
async function curveUntil(device: DeviceClient, toMs: number): Promise<Curve> {
  const [from, to] = [new Date(toMs - 3_600_000), new Date(toMs)];
  const { series, step } = await device.history({ topic: 'total/load_power', from, to, stepS: STEP_S });
  equal(step, STEP_S);
  const [{ times, mean } = { times: [], mean: [] }] = series;
  return new Map(
    times.flatMap((time, index) => {
      const value = mean[index];
      return typeof value === 'number' ? [[time, value] as const] : [];
    }),
  );
}

/** @throws when a step before a moment has another value than it had, or none */
function assertKept(before: Curve, after: Curve, untilMs: number): void {
  const due = [...before].filter(([time]) => (time + STEP_S) * 1000 <= untilMs);
  ok(due.length > 0, 'there is a curve');
  for (const [time, value] of due) equal(after.get(time), value, `the curve at ${time}`);
}

/**
 * Ends a device or more, and starts it again.
 *
 * @param lostMs how long before the end what was read may be lost
 * @throws when a counter falls, or the curve has lost something
 */
export async function keepsEnergy(live: Live, lostMs: number, restart: () => Promise<void>): Promise<void> {
  const energies = await counters(live.device());
  const nowMs = live.clocks.now();
  const curve = await curveUntil(live.device(), nowMs);
  await restart();
  const after = await until('the counters were known again', () => counters(live.device()));
  assertNoneFell(energies, after);
  assertKept(curve, await curveUntil(live.device(), nowMs), nowMs - lostMs);
}
