import { ALERT_SEVERITIES, type Locale, type SiteAlert } from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import { sql } from 'kysely';

/** An alert of a site, as it is stored. */
export interface AlertRecord {
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  readonly id: string;
  readonly siteId: number;
  readonly deviceAlertId: string | null;
  readonly rule: string;
  readonly kind: string;
  /** 1 information, 2 warning, 3 critical. */
  readonly severity: number;
  readonly topic: string | null;
  readonly name: string | null;
  readonly detail: string | null;
  readonly value: number | string | boolean | null;
  readonly limit: number | null;
  readonly unit: string;
  readonly since: Date;
  readonly raisedAt: Date;
  readonly lastAt: Date;
  readonly clearedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly times: number;
  readonly text: string;
  readonly snoozedUntil: Date | null;
  readonly assigneeId: number | null;
  readonly note: string | null;
}

/** An alert with what only a list of them shows. */
export interface ListedAlert extends AlertRecord {
  readonly siteName: string | null;
  readonly assigneeFirstName: string | null;
  readonly assigneeLastName: string | null;
  readonly assigneeEmail: string | null;
}

/** Columns of `alerts` as fields of an {@link AlertRecord}. */
export const ALERT_FIELDS = sql`alerts.id, alerts.site_id as "siteId", alerts.device_alert_id as "deviceAlertId",
  alerts.rule, alerts.kind, alerts.severity, alerts.topic, alerts.name, alerts.detail, alerts.value,
  alerts.limit_value as "limit", alerts.unit, alerts.since, alerts.raised_at as "raisedAt",
  alerts.last_at as "lastAt", alerts.cleared_at as "clearedAt", alerts.acknowledged_at as "acknowledgedAt",
  alerts.acknowledged_by as "acknowledgedBy", alerts.times, alerts.text, alerts.snoozed_until as "snoozedUntil",
  alerts.assignee_id as "assigneeId", alerts.note`;

/** @param severity one that a newer device alone knows is critical: a needless message does less harm than a missing one */
export function severityNumber(severity: string): number {
  const known = ALERT_SEVERITIES.find((one) => one === severity) ?? 'critical';
  return ALERT_SEVERITIES.indexOf(known) + 1;
}

/** @param mayChange whether the caller may change it */
export function presentAlert(alert: ListedAlert, mayChange: boolean, locale: Locale): SiteAlert {
  const { rule, kind, topic, name, detail, value, limit, unit, times, text, note } = alert;
  return {
    id: Number(alert.id),
    site_id: alert.siteId,
    site_name: alert.siteName,
    rule,
    kind,
    state: alert.clearedAt !== null ? 'cleared' : alert.acknowledgedAt !== null ? 'acknowledged' : 'raised',
    severity: ALERT_SEVERITIES[alert.severity - 1] ?? 'warning',
    topic,
    name,
    detail,
    value,
    limit,
    unit,
    since: alert.since.toISOString(),
    raised_at: alert.raisedAt.toISOString(),
    last_at: alert.lastAt.toISOString(),
    cleared_at: alert.clearedAt?.toISOString() ?? null,
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: alert.acknowledgedBy,
    times,
    text,
    snoozed_until: alert.snoozedUntil?.toISOString() ?? null,
    assignee: assigneeOf(alert, locale),
    note,
    may_change: mayChange,
  };
}

function assigneeOf(alert: ListedAlert, locale: Locale): SiteAlert['assignee'] {
  const { assigneeId, assigneeFirstName, assigneeLastName, assigneeEmail } = alert;
  if (assigneeId === null) return null;
  const name = fullName({ first_name: assigneeFirstName ?? '', last_name: assigneeLastName ?? '' }, locale);
  return { id: assigneeId, name: name === '' ? (assigneeEmail ?? '') : name };
}
