import type { MetricValue } from '@heliograph/metrics';
import type { Reading } from '../driver.ts';
import { readExactly } from '../modbus/codec.ts';
import { type Precision, withPrecision } from '../precision.ts';
import type { RegisterValues } from '../registers.ts';
import { BATTERY, type DeyeUnitPlan, ESSENTIAL, LOAD, NON_ESSENTIAL, PV, type Sums } from './unit-plan.ts';

type Values = Map<string, MetricValue>;
type Watts = number | null | undefined;

export function readingOf(
  plan: DeyeUnitPlan,
  frame: RegisterValues,
  precision: Precision = 'rounded',
): Reading {
  const values: Values = new Map();
  for (const row of [...plan.rows, ...plan.settings]) {
    const value = readExactly(row, frame);
    if (value !== undefined) values.set(row.quantity.name, withPrecision(precision, row.quantity, value));
  }
  addSums(plan.sums, values, frame, precision);
  return values;
}

/** Adds sums of powers as they are shown, so that the balance holds exactly. */
function addSums(sums: Sums, values: Values, frame: RegisterValues, precision: Precision): void {
  const watts = (name: string): Watts => {
    const value = values.get(name);
    return value === undefined || typeof value === 'number' ? value : null;
  };
  const set = (name: string, value: Watts): void => {
    if (value !== undefined) values.set(name, value);
  };
  if (sums.pv.length > 0) set(PV.name, total(sums.pv.map(watts)));
  if (sums.batteries.length > 0) {
    const connected = sums.batteries.filter(({ isTakenOff }) => !isTakenOff(frame));
    const parts = connected.map(({ row }) => {
      const part = readExactly(row, frame);
      return part === undefined ? undefined : withPrecision(precision, row.quantity, part);
    });
    set(
      BATTERY.name,
      total(parts.map((part) => (typeof part === 'number' ? part : part === undefined ? part : null))),
    );
  }
  const grid = watts('Grid power');
  if (sums.load === 'essential') set(LOAD.name, watts(ESSENTIAL));
  if (sums.load === 'balance') {
    const battery = watts(BATTERY.name);
    set(LOAD.name, total([watts(PV.name), grid, typeof battery === 'number' ? -battery : battery]));
  }
  if (sums.nonEssential) {
    const port = watts('Grid power inverter');
    const behind = total([grid, typeof port === 'number' ? -port : port]);
    set(NON_ESSENTIAL.name, typeof behind === 'number' ? Math.max(0, behind) : behind);
  }
}

/** Undefined when a part was not read, null when a part is unknown. */
function total(parts: readonly Watts[]): Watts {
  if (parts.includes(undefined)) return undefined;
  const known = parts.filter((part) => typeof part === 'number');
  return known.length < parts.length ? null : known.reduce((sum, part) => sum + part, 0);
}
