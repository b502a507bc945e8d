import { defineMetric, roundTo } from '@heliograph/metrics';
import type { Unit } from '../drivers/driver.ts';
import type { Measured, NamedMeasured } from './measured.ts';
import { type Combination, type Source, TOTAL_RULES } from './total-rules.ts';

/** One unit's presented values by quantity name; what it has but does not know is there with null. */
export interface UnitValues {
  readonly kind: Unit['kind'];
  readonly values: ReadonlyMap<string, Measured>;
}

const RULES = TOTAL_RULES.map((rule) => ({
  ...rule,
  definition: defineMetric('totals', null, rule.quantity),
}));

/** The quantity that weighs a battery's state of charge, in ampere-hours. */
const CAPACITY = 'Capacity';

/**
 * The totals over all units. A total that no unit contributes to does not exist; one that cannot be known from
 * what is known is null. It is as old as the oldest of its parts.
 *
 * `Load power` is `PV power + Grid power - Battery power` wherever PV and grid are measured, computed from the
 * whole watts that are shown, so that the shown values add up exactly.
 */
export function computeTotals(units: readonly UnitValues[]): readonly NamedMeasured[] {
  const totals = new Map<string, Measured>();
  for (const { quantity, sources, combination } of RULES) {
    const parts = sources.map((source) => partsOf(units, source)).find((found) => found.length > 0);
    if (parts === undefined) continue;
    const value = numberOf(roundTo(quantity, combine(combination, parts)));
    totals.set(
      quantity.name,
      combined(
        value,
        parts.map((part) => part.measured),
      ),
    );
  }
  const load = balance(totals);
  if (load !== undefined) totals.set('Load power', load);
  return RULES.flatMap(({ definition }) => {
    const total = totals.get(definition.name);
    return total === undefined ? [] : [{ definition, ...total }];
  });
}

/**
 * Restores an inverter's own balance after rounding its four powers to whole watts; a difference larger than
 * rounding makes is the hardware's and stays as it is.
 */
export function balanceRounded(values: ReadonlyMap<string, Measured>): Measured | undefined {
  const load = values.get('Load power');
  const balanced = balance(values);
  if (typeof load?.value !== 'number' || typeof balanced?.value !== 'number') return undefined;
  return Math.abs(balanced.value - load.value) <= ROUNDING_W ? { ...load, value: balanced.value } : undefined;
}

/** Four values rounded by up to half a watt each are off by at most this. */
const ROUNDING_W = 2;

/** Undefined where PV or grid is not measured; a home without a battery has none to subtract. */
function balance(powers: ReadonlyMap<string, Measured>): Measured | undefined {
  const pv = powers.get('PV power');
  const grid = powers.get('Grid power');
  const battery = powers.get('Battery power');
  if (pv === undefined || grid === undefined) return undefined;
  const parts = battery === undefined ? [pv, grid] : [pv, grid, battery];
  const [pvW, gridW, batteryW = 0] = parts.map(({ value }) => numberOf(value));
  const known = typeof pvW === 'number' && typeof gridW === 'number' && typeof batteryW === 'number';
  return combined(known ? pvW + gridW - batteryW : null, parts);
}

interface Part {
  readonly measured: Measured;
  readonly value: number | null;
  readonly capacity: number | null;
}

function partsOf(all: readonly UnitValues[], { kind, name, orElse = name }: Source): readonly Part[] {
  const units = all.filter((unit) => unit.kind === kind);
  if (!units.some(({ values }) => values.has(name))) return [];
  return units.flatMap((unit) => {
    const measured = unit.values.get(name) ?? unit.values.get(orElse);
    if (measured === undefined) return [];
    const capacity = numberOf(unit.values.get(CAPACITY)?.value);
    return [{ measured, value: numberOf(measured.value), capacity }];
  });
}

function combine(combination: Combination, parts: readonly Part[]): number | null {
  const known = parts.map(({ value }) => value).filter((value) => value !== null);
  switch (combination) {
    case 'sum':
      return known.length < parts.length ? null : sum(known);
    case 'mean':
      return mean(known);
    case 'mean by capacity':
      return known.length < parts.length ? null : (weightedMean(parts) ?? mean(known));
    case 'highest':
      return known.length < parts.length ? null : Math.max(...known);
    case 'lowest':
      return known.length < parts.length ? null : Math.min(...known);
  }
}

function weightedMean(parts: readonly Part[]): number | null {
  const capacities = parts.map(({ capacity }) => capacity ?? 0);
  if (capacities.some((capacity) => capacity <= 0)) return null;
  return sum(parts.map(({ value, capacity }) => (value ?? 0) * (capacity ?? 0))) / sum(capacities);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** As old as the oldest of its parts, and stale where it is unknown for one of them being so. */
function combined(value: number | null, parts: readonly Measured[]): Measured {
  const { readAt, readAtMonotonic } = parts.reduce((a, b) =>
    a.readAtMonotonic <= b.readAtMonotonic ? a : b,
  );
  const stale = value === null && parts.some((part) => part.stale);
  return { value, readAt, readAtMonotonic, ...(stale && { stale }) };
}
