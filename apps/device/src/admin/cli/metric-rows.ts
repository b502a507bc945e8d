import {
  type DefinitionRow,
  defineMetric,
  definitionRow,
  type MetricValue,
  UNIT_KINDS,
  type UnitKind,
} from '@heliograph/metrics';
import type { DecodedUnit } from '../../drivers/driver.ts';
import { withoutNoise } from '../../drivers/precision.ts';
import { computeTotals } from '../../poll/totals.ts';

/** A metric as a read of a device returns it, less when it was read. */
export type DecodedRow = DefinitionRow & { readonly value: MetricValue };

/**
 * The rows of a read: the totals, then the units by kind. Units are numbered as they come. Values
 * are as exact as they were recorded, where a device rounds them.
 */
export function metricRows(units: readonly DecodedUnit[]): readonly DecodedRow[] {
  const readAt = { readAt: 0, readAtMonotonic: 0 };
  const totals = computeTotals(
    units.map(({ kind, reading }) => ({
      kind,
      values: new Map([...reading].map(([name, value]) => [name, { value, ...readAt }])),
    })),
  );
  return [
    ...totals.map(({ definition, value }) => ({ ...definitionRow(definition), value })),
    ...UNIT_KINDS.flatMap((kind) => rowsOf(kind, units)),
  ];
}

function rowsOf(kind: UnitKind, units: readonly DecodedUnit[]): readonly DecodedRow[] {
  return units
    .filter((unit) => unit.kind === kind)
    .flatMap(({ quantities, reading }, number) =>
      quantities.map((quantity) => ({
        ...definitionRow(defineMetric(kind, number, quantity)),
        value: withoutNoise(reading.get(quantity.name) ?? null),
      })),
    );
}
