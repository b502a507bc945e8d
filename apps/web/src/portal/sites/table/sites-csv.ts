import type { SiteSummary } from '@heliograph/client';
import type { CsvCell } from '@heliograph/contracts/csv';
import { personName } from '../../../shared/format/person-name.ts';
import { specificYield } from './specific-yield.ts';

const COLUMNS = [
  ['id', (site) => site.id],
  ['name', (site) => site.name],
  ['state', (site) => site.state],
  ['open_alerts', ({ open_alerts: alerts }) => alerts.count],
  ['worst_severity', ({ open_alerts: alerts }) => alerts.severity],
  ['last_seen_at', (site) => site.last_seen_at],
  ['customer', ({ owner }) => personName(owner)],
  ['email', ({ owner }) => owner.email],
  ['inverter', (site) => site.inverter],
  ['battery', (site) => site.battery],
  ['values_at', (site) => site.newest_values?.at],
  ['solar_kwh', (site) => site.newest_values?.pv],
  ['specific_yield_kwh_per_kwp', (site) => specificYield(site.newest_values?.pv, site.peak_power_kwp)],
  ['state_of_charge_percent', (site) => site.newest_values?.state_of_charge],
  ['tags', (site) => site.tags.join(', ')],
  ['peak_power_kwp', (site) => site.peak_power_kwp],
  ['latitude', (site) => site.latitude],
  ['longitude', (site) => site.longitude],
] as const satisfies readonly [string, (site: SiteSummary) => CsvCell][];

/** Sites as rows of CSV, with the names of the API and times in UTC. Unknown values are empty. */
export function siteRows(sites: readonly SiteSummary[]): readonly (readonly CsvCell[])[] {
  const rows = sites.map((site) => COLUMNS.map(([, read]) => read(site)));
  return [COLUMNS.map(([name]) => name), ...rows];
}
