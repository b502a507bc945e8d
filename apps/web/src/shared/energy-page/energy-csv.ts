import type { EnergyAnswer } from '@heliograph/client';
import { csvOf } from '@heliograph/contracts/csv';

/**
 * Energy as CSV: one row a step, its beginning in ISO 8601 by the clock of the site, kilowatt-hours and shares
 * with a point, money only where there are prices, with when it begins if that is later; unknown is empty. The titles are the names of the API, with their unit.
 */
export function energyCsv({ steps, total, currency }: EnergyAnswer): string {
  const fields = (Object.keys(total) as (keyof typeof total)[]).filter(
    (field) => currency !== null || !(MONEY.has(field) || field === 'costs_since'),
  );
  const unitOf = (field: string): string => (MONEY.has(field) ? `_${currency?.toLowerCase()}` : '_kwh');
  const titles = ['from', ...fields.map((field) => (PLAIN.has(field) ? field : field + unitOf(field)))];
  const rows = steps.map((step) => [step.from, ...fields.map((field) => step[field])]);
  return csvOf([titles, ...rows]);
}

const PLAIN: ReadonlySet<string> = new Set([
  'self_sufficiency',
  'self_consumption',
  'coverage',
  'costs_since',
]);

const MONEY: ReadonlySet<string> = new Set([
  'import_cost',
  'export_earnings',
  'fixed_charges',
  'net_cost',
  'savings',
]);
