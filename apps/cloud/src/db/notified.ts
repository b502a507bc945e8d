import { ALERT_SEVERITIES, type AlertSeverity } from '@heliograph/contracts';
import type { AlertFacts } from '@heliograph/contracts/alert-text';
import { sql } from 'kysely';
import type { Database } from './open.ts';
import { hasNotAccepted } from './site-invitations.ts';

export type NotificationKind = 'raised' | 'cleared' | 'assigned' | 'further' | 'began' | 'ended' | 'test';

/** The subject of a message to a person. */
export interface Notified {
  /** Of the notification; 64-bit, so PostgreSQL's driver gives it as text. */
  readonly id: string;
  readonly kind: NotificationKind;
  readonly alert: NotifiedAlert | null;
  readonly outage: NotifiedOutage | null;
  readonly further: FurtherAlerts | null;
}

/** Alerts beyond those that a person has messages about in an hour. */
export interface FurtherAlerts {
  readonly count: number;
  /** Null for those of several sites. */
  readonly siteId: number | null;
  readonly siteName: string | null;
  /** Of the most severe one. */
  readonly severity: AlertSeverity;
}

export interface NotifiedAlert extends AlertFacts {
  readonly id: string;
  readonly siteId: number;
  /** Null for a site without a name. */
  readonly siteName: string | null;
  readonly severity: AlertSeverity;
  /** A sentence in English, as the device sent it. */
  readonly text: string;
  readonly raisedAt: Date;
  readonly clearedAt: Date | null;
}

export interface NotifiedOutage {
  readonly id: string;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly sites: number;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
}

interface Row extends Omit<NotifiedAlert, 'id' | 'severity'> {
  readonly notificationId: string;
  readonly notificationKind: NotificationKind;
  readonly alertId: string | null;
  readonly severity: number;
  readonly outageId: string | null;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly sites: number;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  readonly furtherAlerts: number | null;
  readonly urgency: number;
}

/**
 * Reads the subjects of notifications that are about to leave, as {@link readNotified} does, and marks those that are left out
 * as skipped. A new assignment of an alert waits meanwhile, and so finds whether its message has left.
 */
export function takeNotified(db: Database, ids: readonly string[], now: Date): Promise<Notified[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select from notifications where id = any(${ids}::bigint[]) order by id for update`.execute(tx);
    const taken = await readNotified(tx, ids, now);
    const left = ids.filter((id) => !taken.some((one) => one.id === id));
    if (left.length > 0)
      await tx
        .updateTable('notifications')
        .set({ state: 'skipped', sent_at: null })
        .where('id', 'in', left)
        .execute();
    return taken;
  });
}

/**
 * The subjects of notifications, the more urgent ones first. Those are left out that are no news any more, as a person knows of the
 * alert already or it is over, and those about sites and organizations that the account does not see any
 * more, or has not accepted yet.
 */
export async function readNotified(db: Database, ids: readonly string[], now: Date): Promise<Notified[]> {
  const { rows } = await sql<Row>`
    select notifications.id as "notificationId", notifications.kind as "notificationKind", alerts.id as "alertId",
      alerts.kind, alerts.severity, alerts.topic, alerts.name, alerts.detail, alerts.value, alerts.limit_value as "limit",
      alerts.unit, alerts.text, alerts.raised_at as "raisedAt", alerts.cleared_at as "clearedAt", sites.id as "siteId",
      sites.name as "siteName", outages.id as "outageId", outages.sites, outages.began_at as "beganAt",
      outages.ended_at as "endedAt", notifications.further_alerts as "furtherAlerts", notifications.urgency, organizations.id as "organizationId", organizations.name as "organizationName"
    from notifications
    left join alerts on alerts.id = notifications.alert_id
    left join sites on sites.id = coalesce(alerts.site_id, notifications.site_id)
    left join outages on outages.id = notifications.outage_id
    left join organizations on organizations.id = outages.organization_id
    where notifications.id = any(${ids}::bigint[]) and case notifications.kind
      when 'raised' then alerts.cleared_at is null and alerts.acknowledged_at is null
        and coalesce(alerts.snoozed_until <= ${now}, true) and ${seesSite}
      when 'cleared' then ${seesSite}
      when 'assigned' then alerts.assignee_id = notifications.user_id and ${seesSite}
      when 'further' then sites.id is null or ${seesSite}
      when 'test' then true
      else exists (select from organization_members as employees
        where employees.organization_id = outages.organization_id
          and employees.user_id = notifications.user_id and employees.role in ('owner', 'admin'))
      end
    order by notifications.urgency desc, notifications.id`.execute(db);
  return rows.map(notifiedOf);
}

const seesSite = sql`((not ${hasNotAccepted(sql`notifications.user_id`)} and (sites.owner_id = notifications.user_id
    or exists (select from site_members as members
      where members.site_id = sites.id and members.user_id = notifications.user_id)))
  or exists (select from organization_members as employees
    where employees.user_id = notifications.user_id and (employees.organization_id = sites.organization_id
      or exists (select from organization_sites as shared
        where shared.site_id = sites.id and shared.organization_id = employees.organization_id))))`;

function notifiedOf(row: Row): Notified {
  const { alertId, outageId } = row;
  const { kind, topic, name, detail, value, limit, unit, text, siteId, siteName, raisedAt, clearedAt } = row;
  const { organizationId, organizationName, sites, beganAt, endedAt, furtherAlerts, urgency } = row;
  return {
    id: row.notificationId,
    kind: row.notificationKind,
    alert:
      alertId === null
        ? null
        : {
            ...{ id: alertId, kind, topic, name, detail, value, limit, unit, text },
            ...{ siteId, siteName, raisedAt, clearedAt },
            severity: ALERT_SEVERITIES[row.severity - 1] ?? 'warning',
          },
    outage:
      outageId === null ? null : { id: outageId, organizationId, organizationName, sites, beganAt, endedAt },
    further:
      furtherAlerts === null
        ? null
        : { count: furtherAlerts, siteId, siteName, severity: ALERT_SEVERITIES[urgency - 1] ?? 'warning' },
  };
}
