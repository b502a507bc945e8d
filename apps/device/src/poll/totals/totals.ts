import { defineMetric, type MeterRole, roundTo, type UnitKind } from '@heliograph/metrics';
import type { Measured, NamedMeasured } from './measured.ts';
import { type Combination, type Part, type Source, TOTAL_RULES } from './total-rules.ts';

/** One unit's presented values by quantity name; what it has but does not know is there with null. */
export interface UnitValues {
  readonly kind: UnitKind;
  /** Of a meter: what it measures for the totals; undefined for one that only has topics of its own. */
  readonly role?: MeterRole | undefined;
  readonly values: ReadonlyMap<string, Measured>;
}

const RULES = TOTAL_RULES.map((rule) => ({
  ...rule,
  definition: defineMetric('totals', null, rule.quantity),
}));

const GRID_POWER = 'Grid power';
const GENERATOR_POWER = 'Generator power';

/** The quantity that weighs a battery's state of charge, in ampere-hours. */
const CAPACITY = 'Capacity';

/**
 * The totals over all units. A total that no unit contributes to does not exist; one that cannot be known from
 * what is known is null. It is as old as the oldest of its parts.
 *
 * `Load power` is `PV power + Grid power - Battery power` wherever PV and grid are measured, computed from the
 * whole watts that are shown, so that the shown values add up exactly. A generator is a grid to the home: `Grid power`
 * includes `Generator power`, so that the sum holds while one runs, too.
 */
export function computeTotals(units: readonly UnitValues[]): readonly NamedMeasured[] {
  const totals = new Map<string, Measured>();
  for (const { quantity, sources, combination } of RULES) {
    const values = partsOf(units, sources).map(partValue);
    if (values.length === 0) continue;
    const total = numberOf(roundTo(quantity, combine(combination, values)));
    totals.set(
      quantity.name,
      combined(
        total,
        values.map(({ measured }) => measured),
      ),
    );
  }
  const grid = gridWithGenerator(totals, units);
  if (grid !== undefined) totals.set(GRID_POWER, grid);
  const load = balance(totals);
  if (load !== undefined) totals.set('Load power', load);
  return RULES.flatMap(({ definition }) => {
    const total = totals.get(definition.name);
    return total === undefined ? [] : [{ definition, ...total }];
  });
}

/**
 * Restores an inverter's own balance after rounding its powers to whole watts; a difference larger than
 * rounding makes is the hardware's and stays as it is.
 */
export function balanceRounded(values: ReadonlyMap<string, Measured>): Measured | undefined {
  const load = values.get('Load power');
  const rest = balance(values)?.value;
  if (typeof load?.value !== 'number' || typeof rest !== 'number') return undefined;
  const balanced = rest + (numberOf(values.get(GENERATOR_POWER)?.value) ?? 0);
  return Math.abs(balanced - load.value) <= ROUNDING_W ? { ...load, value: balanced } : undefined;
}

/** Five values rounded by up to half a watt each are off by at most this. */
const ROUNDING_W = 2;

/** Undefined where PV or grid is not measured; a home without a battery has none to subtract. */
function balance(powers: ReadonlyMap<string, Measured>): Measured | undefined {
  const pv = powers.get('PV power');
  const grid = powers.get(GRID_POWER);
  const battery = powers.get('Battery power');
  if (pv === undefined || grid === undefined) return undefined;
  const parts = battery === undefined ? [pv, grid] : [pv, grid, battery];
  const [pvW, gridW, batteryW = 0] = parts.map(({ value }) => numberOf(value));
  const known = typeof pvW === 'number' && typeof gridW === 'number' && typeof batteryW === 'number';
  return combined(known ? pvW + gridW - batteryW : null, parts);
}

/**
 * The grid and the generators together; undefined where the grid has it all. An inverter that does not report
 * `Generator power` has a generator at its grid input, if at all, and counts it as grid. Meters come before inverters in the sources of
 * `Grid power`, so that one with the role of the grid is what was measured wherever there is one.
 */
function gridWithGenerator(
  totals: ReadonlyMap<string, Measured>,
  units: readonly UnitValues[],
): Measured | undefined {
  const generator = totals.get(GENERATOR_POWER);
  const grid = totals.get(GRID_POWER);
  if (generator === undefined || grid === undefined) return generator;
  const isApart = units.some(
    ({ kind, role, values }) => role === 'grid' || (kind === 'inverters' && values.has(GENERATOR_POWER)),
  );
  if (!isApart) return undefined;
  const [gridW, generatorW] = [numberOf(grid.value), numberOf(generator.value)];
  return combined(gridW === null || generatorW === null ? null : gridW + generatorW, [grid, generator]);
}

/** A part of a total, and the unit that has it. */
export interface PartOfTotal<Unit extends UnitValues> {
  readonly unit: Unit;
  readonly measured: Measured;
}

interface PartValue {
  readonly measured: Measured;
  readonly value: number | null;
  readonly capacity: number | null;
}

/** The parts of the first source that any unit measures. */
export function partsOf<Unit extends UnitValues>(
  units: readonly Unit[],
  sources: readonly Source[],
): readonly PartOfTotal<Unit>[] {
  return sources.map((source) => partsOfSource(units, source)).find((found) => found.length > 0) ?? [];
}

/** The parts that units have of the source; none unless one has a part that makes it. */
function partsOfSource<Unit extends UnitValues>(
  units: readonly Unit[],
  { parts, beside = [] }: Source,
): readonly PartOfTotal<Unit>[] {
  const isMeasured = parts.some((part) =>
    units.some((unit) => isOf(part, unit) && unit.values.has(part.name)),
  );
  if (!isMeasured) return [];
  return [...parts, ...beside].flatMap((part) =>
    units.flatMap((unit): readonly PartOfTotal<Unit>[] => {
      const { name, orElse = name } = part;
      const measured = isOf(part, unit) ? (unit.values.get(name) ?? unit.values.get(orElse)) : undefined;
      return measured === undefined ? [] : [{ unit, measured }];
    }),
  );
}

function partValue({ unit, measured }: PartOfTotal<UnitValues>): PartValue {
  const capacity = numberOf(unit.values.get(CAPACITY)?.value);
  return { measured, value: numberOf(measured.value), capacity };
}

function isOf(part: Part, unit: UnitValues): boolean {
  return unit.kind === part.kind && unit.role === part.role;
}

function combine(combination: Combination, parts: readonly PartValue[]): number | null {
  const known = parts.map(({ value }) => value).filter((value) => value !== null);
  switch (combination) {
    case 'sum':
      return known.length < parts.length ? null : sum(known);
    case 'mean':
      return mean(known);
    case 'mean of running':
      return meanOfRunning(known);
    case 'mean by capacity':
      return known.length < parts.length ? null : (weightedMean(parts) ?? mean(known));
    case 'highest':
      return known.length < parts.length ? null : Math.max(...known);
    case 'lowest':
      return known.length < parts.length ? null : Math.min(...known);
  }
}

function weightedMean(parts: readonly PartValue[]): number | null {
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

function meanOfRunning(values: readonly number[]): number | null {
  const running = values.filter((value) => value !== 0);
  return mean(running.length === 0 ? values : running);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** As old as the oldest of its parts, and stale or awaited where it is unknown for one of them being so. */
function combined(value: number | null, parts: readonly Measured[]): Measured {
  const { readAt, readAtMonotonic } = parts.reduce((a, b) =>
    a.readAtMonotonic <= b.readAtMonotonic ? a : b,
  );
  const stale = value === null && parts.some((part) => part.stale);
  const awaited = value === null && parts.some((part) => part.awaited);
  return { value, readAt, readAtMonotonic, ...(stale && { stale }), ...(awaited && { awaited }) };
}
