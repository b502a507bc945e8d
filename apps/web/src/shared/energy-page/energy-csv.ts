import type { EnergyAnswer } from '@heliograph/client';
import { type CsvCell, csvOf } from '@heliograph/contracts/csv';

/**
 * Energy as CSV: one row a step, its beginning in ISO 8601 by the clock of the site, kilowatt-hours and shares
 * with a point, money only where there are prices, with when it begins if that is later; unknown is empty. The titles
 * are the names of the API, with their unit.
 */
export function energyCsv({ steps, total, currency }: EnergyAnswer): string {
  const fields = (Object.keys(total) as (keyof typeof total)[]).filter(
    (field) => currency !== null || !(MONEY.has(field) || ABOUT_MONEY.has(field)),
  );
  const unitOf = (field: string): string => (MONEY.has(field) ? `_${currency?.toLowerCase()}` : '_kwh');
  const titles = ['from', ...fields.map((field) => (PLAIN.has(field) ? field : field + unitOf(field)))];
  const rows = steps.map((step) => [step.from, ...fields.map((field) => cellOf(step[field]))]);
  return csvOf([titles, ...rows]);
}

/** A flag as API and command line write it. */
function cellOf(value: string | number | boolean | null | undefined): CsvCell {
  return typeof value === 'boolean' ? String(value) : value;
}

const ABOUT_MONEY: ReadonlySet<string> = new Set(['costs_since', 'costs_unsettled']);

const PLAIN: ReadonlySet<string> = new Set([
  'self_sufficiency',
  'self_consumption',
  'coverage',
  ...ABOUT_MONEY,
]);

const MONEY: ReadonlySet<string> = new Set([
  'import_cost',
  'export_earnings',
  'fixed_charges',
  'net_cost',
  'savings',
]);
