import type { EnergyAnswer } from '@heliograph/client';
import type { CsvCell } from '@heliograph/contracts/csv';

/**
 * Energy as rows of CSV: one a step, its beginning in ISO 8601 by the clock of the site with its offset, kilowatt-hours and
 * shares, money only where there are prices, with when it begins if that is later; unknown is empty. The titles are the
 * names of the API, with their unit.
 */
export function energyRows({ steps, total, currency }: EnergyAnswer): readonly (readonly CsvCell[])[] {
  const fields = (Object.keys(total) as (keyof typeof total)[]).filter(
    (field) => currency !== null || !(MONEY.has(field) || ABOUT_MONEY.has(field)),
  );
  const unitOf = (field: string): string => (MONEY.has(field) ? `_${currency?.toLowerCase()}` : '_kwh');
  const titles = ['from', ...fields.map((field) => (PLAIN.has(field) ? field : field + unitOf(field)))];
  const rows = steps.map((step) => [step.from, ...fields.map((field) => cellOf(step[field]))]);
  return [titles, ...rows];
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
