import type { EnergyAnswer } from '@heliograph/client';
import type { EnergyUnit } from './energy-selection.ts';

export const COMPARED = ['pv', 'load', 'grid_in', 'grid_out'] as const;
type Compared = (typeof COMPARED)[number];

/** In kWh; null is unknown. */
type Sums = Readonly<Record<Compared, number | null>>;

interface Comparison {
  readonly now: Sums;
  readonly before: Sums;
}

/**
 * Compares a period with the one before it. While it goes on, with as much of that as is over: up to the same hour of the
 * day, day of the month or week, month of the year.
 *
 * @returns undefined while nothing of the period is over
 */
export function comparisonOf(
  unit: EnergyUnit,
  period: EnergyAnswer,
  before: EnergyAnswer,
  nowMs: number,
): Comparison | undefined {
  const current = period.steps.findIndex(({ from }, index) => {
    const end = period.steps[index + 1]?.from ?? period.to;
    return Date.parse(from) <= nowMs && nowMs < Date.parse(end);
  });
  if (current === -1) return { now: period.total, before: before.total };
  if (current === 0) return undefined;
  const limit = positionOf(period.steps[current]?.from ?? '', unit);
  const sameSteps = before.steps.filter(({ from }, index) =>
    unit === 'week' ? index < current : positionOf(from, unit) < limit,
  );
  return { now: sumOf(period.steps.slice(0, current)), before: sumOf(sameSteps) };
}

/** The hour of a day, day of a month or month of a year, in a time such as `2026-11-22T14:00:00+01:00`. */
function positionOf(from: string, unit: EnergyUnit): string {
  const start = { day: 11, week: 8, month: 8, year: 5 }[unit];
  return from.slice(start, start + 2);
}

function sumOf(steps: readonly Sums[]): Sums {
  const sum = (field: Compared): number | null => {
    const known = steps.map((step) => step[field]).filter((kwh) => kwh !== null);
    return known.length === 0 ? null : known.reduce((total, kwh) => total + kwh, 0);
  };
  return {
    pv: sum('pv'),
    load: sum('load'),
    grid_in: sum('grid_in'),
    grid_out: sum('grid_out'),
  };
}
