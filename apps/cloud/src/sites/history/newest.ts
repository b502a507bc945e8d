import type { SiteNewestValues } from '@heliograph/contracts';
import { dateOf } from '@heliograph/kit/calendar-days';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { runPrepared } from '../../db/prepared-statements.ts';

/** Columns of the newest values, as the contract names them. */
const VALUES = [
  'pv_power',
  'load_power',
  'grid_power',
  'battery_power',
  'state_of_charge',
  'pv',
  'load',
  'battery_in',
  'battery_out',
  'grid_in',
  'grid_out',
] as const satisfies readonly (keyof SiteNewestValues)[];

const COLUMNS = ['at', 'day', ...VALUES];

const UPSERT = `insert into site_newest_values (site_id, ${COLUMNS.join(', ')})
  values ($1, ${COLUMNS.map((_, i) => `$${i + 2}`).join(', ')})
  on conflict (site_id) do update set ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
  where site_newest_values.at <= excluded.at`;

/** Stores values unless there are newer ones. A clock of a device that is ahead makes them no newer than now. */
export async function storeNewest(
  tx: Database,
  siteId: number,
  newest: SiteNewestValues,
  nowMs: number,
): Promise<void> {
  const at = new Date(Math.min(Date.parse(newest.at), nowMs));
  if (dateOf(newest.date) === undefined || Number.isNaN(at.getTime())) return;
  await runPrepared(tx, UPSERT, [siteId, at, newest.date, ...VALUES.map((name) => newest[name])]);
}

/** The newest values of `sites.id`, as JSON; null where its present owner has not agreed. */
export const newestValuesOfSite = sql<SiteNewestValues | null>`(
  select json_build_object('at', to_char(newest.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'date', newest.day, ${sql.join(VALUES.flatMap((name) => [sql.lit(name), sql.ref(`newest.${name}`)]))})
  from site_newest_values as newest join site_history_consents as consents on consents.site_id = newest.site_id
  where newest.site_id = sites.id and consents.agreed and consents.owner_id = sites.owner_id)`;
