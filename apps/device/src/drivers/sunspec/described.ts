import { type Quantity, quantities } from '@heliograph/metrics';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import {
  BATTERY,
  DER_STORAGE,
  inverterRows,
  METER_ALONE,
  METER_COUNTERS,
  METER_POWERS,
  type PointRow,
  STORAGE,
  STORAGE_ON_INVERTER,
} from './measurements.ts';
import { LOAD_POWER } from './reading.ts';
import { SETTINGS } from './settings.ts';
import { IDENTITY_QUANTITIES, STRING_QUANTITIES } from './unit-plan.ts';

/** Everything that an inverter and a battery of this family can have. */
export function describeUnits(): readonly DescribedUnit[] {
  return [
    { title: 'Inverter', rows: merged(inverter()) },
    { title: 'Battery', rows: merged(battery()) },
  ];
}

function inverter(): readonly DescribedQuantity[] {
  return [
    ...identity(),
    ...rowsOf(inverterRows(103), '101-103, 111-113'),
    ...rowsOf(inverterRows(701), '701'),
    worked(quantities.power('PV power'), '160, 714, or the inverter’s DC or AC power'),
    ...STRING_QUANTITIES.map(({ make, name, point }) => ({
      quantity: make(`${name} 1`),
      from: `160 and 714 ${point}`,
      remark: 'and so on, one per string',
    })),
    ...rowsOf(METER_POWERS, '201-204, 211-214'),
    ...rowsOf(METER_COUNTERS, '201-204, 211-214'),
    ...rowsOf(METER_ALONE, '201-204, 211-214').map((row) => ({
      ...row,
      remark: joined(row.remark, 'of a meter alone'),
    })),
    worked(quantities.power('Battery power'), '160 (StCha, StDisCha), or 802'),
    worked(LOAD_POWER, 'PV + grid - battery'),
    ...rowsOf(STORAGE_ON_INVERTER, '124'),
    ...SETTINGS.map(({ quantity, model, point }) => ({ quantity, from: `${model} ${point}` })),
  ];
}

function battery(): readonly DescribedQuantity[] {
  return [
    ...identity(),
    ...rowsOf(BATTERY, '802'),
    ...rowsOf(DER_STORAGE, '713'),
    ...rowsOf(STORAGE, '124'),
    worked(quantities.power('Power'), '802 W with the direction of ChaSt'),
    worked(quantities.current('Current'), '802 A with the sign of the power'),
  ];
}

function identity(): readonly DescribedQuantity[] {
  return IDENTITY_QUANTITIES.map(({ quantity, point }) => ({ quantity, from: `1 ${point}` }));
}

const worked = (quantity: Quantity, from: string): DescribedQuantity => ({ quantity, from });

function rowsOf(rows: readonly PointRow[], models: string): readonly DescribedQuantity[] {
  return rows.map(({ quantity, points, onlyWith }) => ({
    quantity,
    from: `${models} ${points.join(', else ')}`,
    ...(onlyWith === undefined ? {} : { remark: 'with several phases' }),
  }));
}

/** A quantity of several models is listed once, with all of them. */
function merged(rows: readonly DescribedQuantity[]): readonly DescribedQuantity[] {
  const byName = new Map<string, DescribedQuantity>();
  for (const row of rows) {
    const known = byName.get(row.quantity.name);
    byName.set(
      row.quantity.name,
      known === undefined ? row : { ...known, from: joined(known.from, row.from) },
    );
  }
  return [...byName.values()];
}

function joined(one: string | undefined, other: string): string {
  return one === undefined || one === other ? other : `${one}; ${other}`;
}
