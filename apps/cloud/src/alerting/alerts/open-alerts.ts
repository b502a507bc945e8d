import { ALERT_SEVERITIES, type AlertSeverity, type SiteOpenAlerts } from '@heliograph/contracts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The number of the worst severity among the open alerts of `sites`; null without any. */
export const worstOpenSeverity = sql<number | null>`(select max(open.severity) from alerts as open
  where open.site_id = sites.id and open.cleared_at is null)`;

/** The open alerts of `sites`. */
export const openAlertsOfSite = sql<SiteOpenAlerts>`(select json_build_object('count', count(*),
    'severity', (${[...ALERT_SEVERITIES]}::text[])[max(open.severity)])
  from alerts as open where open.site_id = sites.id and open.cleared_at is null)`;

/** @param severity of the worst open alert; `any` for any severity, `none` for a site without an open alert */
export function hasOpenAlert(severity: AlertSeverity | 'any' | 'none'): RawBuilder<SqlBool> {
  if (severity === 'none')
    return sql`not exists (select from alerts as open where open.site_id = sites.id and open.cleared_at is null)`;
  return sql`sites.id in (select open.site_id from ${openAlerts(severity)})`;
}

/** The newest sites with such an open alert, as keys of the list. */
export function newestWithOpenAlert(
  severity: AlertSeverity | 'any',
  limit: number,
): RawBuilder<{ id: number; key: null }> {
  return sql`select open.site_id as id, null::text as key from ${openAlerts(severity)}
    group by open.site_id order by open.site_id desc limit ${limit}`;
}

function openAlerts(severity: AlertSeverity | 'any'): RawBuilder<unknown> {
  if (severity === 'any') return sql`alerts as open where open.cleared_at is null`;
  const number = ALERT_SEVERITIES.indexOf(severity) + 1;
  const isWorst =
    number === ALERT_SEVERITIES.length
      ? sql`true`
      : sql`not exists (select from alerts as worse where worse.site_id = open.site_id
          and worse.cleared_at is null and worse.severity > ${number})`;
  return sql`alerts as open where open.cleared_at is null and open.severity = ${number} and ${isWorst}`;
}
