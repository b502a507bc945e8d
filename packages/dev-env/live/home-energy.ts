import { equal, ok } from 'node:assert/strict';
import type { DeviceClient, EnergyAmounts } from '@heliograph/client';

/** Energies of a home that are counted; what comes in is what goes out. */
export const ENERGIES = ['pv', 'load', 'battery_in', 'battery_out', 'grid_in', 'grid_out'] as const;

/** Sums of amounts that are rounded to a watt-hour each, in kWh. */
const ROUNDING = 0.001;

/** The counters that rise until their period ends, by their topics, in kWh. @throws when one is unknown */
export async function counters(device: DeviceClient): Promise<ReadonlyMap<string, number>> {
  const rows = (await device.metrics({ topic: 'total/*' })).filter(({ topic }) => topic.includes('_energy'));
  ok(rows.length >= ENERGIES.length, 'the device has its counters');
  return new Map(
    rows.map(({ topic, value }) => {
      if (typeof value !== 'number') throw new Error(`${topic} is ${value}`);
      return [topic, value];
    }),
  );
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
export type Curve = ReadonlyMap<number, number>;

const STEP_S = 10;

/** The power of the house in the last hour, in steps of ten seconds. */
export async function curveUntil(device: DeviceClient, toMs: number): Promise<Curve> {
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
export function assertKept(before: Curve, after: Curve, untilMs: number): void {
  const due = [...before].filter(([time]) => (time + STEP_S) * 1000 <= untilMs);
  ok(due.length > 0, 'there is a curve');
  for (const [time, value] of due) equal(after.get(time), value, `the curve at ${time}`);
}
