import {
  cleanLine,
  type DeviceAlert,
  type DeviceAlertsAnswer,
  type DeviceAlertsBody,
} from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { sql } from 'kysely';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import type { ProvenDevice } from '../../http/guards.ts';
import type { Platform } from '../../platform.ts';
import { alertEvent, alertEventTypes } from './alert-events.ts';
import { ALERT_FIELDS, type AlertRecord, severityNumber } from './alert-records.ts';
import { ALERTS_PER_DEVICE, UPLOADS_PER_DEVICE } from './limits.ts';
import { clearRefused, OpenAlerts, reportRefused } from './open-alert-limit.ts';

/** As many as a device keeps. The oldest go first. */
const MAX_ALERTS_OF_SITE = 2_000;

/**
 * Stores the alerts that a device sends. It may send the same again: they count once.
 *
 * @throws Unprocessable for an alert that is there twice; TooManyRequests
 */
export async function receiveAlerts(
  { db, limits, clock }: Platform,
  { uid, siteId }: ProvenDevice,
  body: DeviceAlertsBody,
): Promise<DeviceAlertsAnswer> {
  await limits.consume(UPLOADS_PER_DEVICE, uid);
  if (body.alerts.length > 0) await limits.consume(ALERTS_PER_DEVICE, uid, body.alerts.length);
  const at = new Date(clock.now());
  if (new Set(body.alerts.map(keyOf)).size < body.alerts.length)
    throw new Unprocessable('An alert is there more than once');
  const alerts = mergeSame(body.alerts.map(cleanTexts));
  return db.transaction().execute(async (tx) => {
    // Two uploads of a site follow each other. What is read with the lock may be older than it: read after it, a site
    // that moved or ended has no alerts of its former device.
    await tx.selectFrom('sites').select('id').where('id', '=', siteId).forNoKeyUpdate().execute();
    const site = await tx
      .selectFrom('sites')
      .innerJoin('devices', 'devices.site_id', 'sites.id')
      .select('sites.organization_id as organizationId')
      .where('sites.id', '=', siteId)
      .where('devices.uid', '=', uid)
      .executeTakeFirst();
    if (site === undefined) return { acknowledged: [] };
    const { organizationId } = site;
    // First, so that those that are over leave room.
    if (body.open !== null) await clearOthers(tx, siteId, body.open, alerts, { at, organizationId });
    const refused = await store(tx, siteId, alerts, { at, organizationId });
    const openAlerts = await OpenAlerts.of(tx, siteId);
    const unknown = body.open === null ? undefined : openAlerts.unknownOf(body.open);
    if (refused.length > 0) await reportRefused(tx, siteId, { at, organizationId });
    else if (unknown?.length === 0 && openAlerts.hasCapacity)
      await clearRefused(tx, siteId, { at, organizationId });
    return {
      acknowledged: await acknowledgedHere(tx, siteId),
      refused,
      ...(unknown !== undefined && { missing: openAlerts.hasCapacityForCritical ? unknown : [] }),
    };
  });
}

/** @returns those for which there is no room, as too many of the site are open */
async function store(
  tx: Database,
  siteId: number,
  alerts: readonly DeviceAlert[],
  context: { readonly at: Date; readonly organizationId: number | null },
): Promise<NonNullable<DeviceAlertsAnswer['refused']>> {
  if (alerts.length === 0) return [];
  const openAlerts = await OpenAlerts.of(tx, siteId);
  const refused: NonNullable<DeviceAlertsAnswer['refused']> = [];
  const { rows } = await sql<AlertRecord>`select ${ALERT_FIELDS} from alerts
    where site_id = ${siteId} and raised_at = any(${alerts.map((alert) => new Date(alert.raised_at))}::timestamptz[])
  `.execute(tx);
  const before = new Map(rows.map((row) => [keyOfRecord(row), row]));
  const admitted = alerts.filter((alert) => {
    const known = before.get(keyOf(alert));
    const wasOpen = known !== undefined && known.clearedAt === null;
    const isAdmitted = openAlerts.admit(wasOpen, alert.cleared_at === null, severityNumber(alert.severity));
    if (!isAdmitted) refused.push({ id: alert.id, raised_at: alert.raised_at });
    return isAdmitted;
  });
  const stored = new Map((await upsert(tx, siteId, admitted)).map((row) => [keyOfRecord(row), row]));
  const events = admitted.flatMap((alert) => {
    const after = stored.get(keyOf(alert)) as AlertRecord;
    return alertEventTypes(before.get(keyOf(alert)), after).map((type) => alertEvent(type, after, context));
  });
  await appendEvents(tx, events);
  const hasNew = admitted.some((alert) => !before.has(keyOf(alert)));
  if (hasNew) {
    await sql`delete from alerts where site_id = ${siteId} and cleared_at is not null and id in (
      select id from alerts where site_id = ${siteId} order by raised_at desc offset ${MAX_ALERTS_OF_SITE})
    `.execute(tx);
  }
  return refused;
}

/** A device is no more to be believed than its hardware: its texts go to people, in messages and on pages. */
function cleanTexts(alert: DeviceAlert): DeviceAlert {
  const texts = Object.entries(alert).map(([name, value]) => [
    name,
    typeof value === 'string' ? cleanLine(value) : value,
  ]);
  return Object.fromEntries(texts) as DeviceAlert;
}

/**
 * Of alerts that read the same once they are clean one stays: an open one before those that are over, then the most severe,
 * then the last.
 */
function mergeSame(alerts: readonly DeviceAlert[]): DeviceAlert[] {
  const weightOf = ({ cleared_at, severity }: DeviceAlert): number =>
    (cleared_at === null ? 10 : 0) + severityNumber(severity);
  const kept = new Map<string, DeviceAlert>();
  for (const alert of alerts) {
    const same = kept.get(keyOf(alert));
    if (same === undefined || weightOf(alert) >= weightOf(same)) kept.set(keyOf(alert), alert);
  }
  return [...kept.values()];
}

/** The identity of an alert at its site: it was raised once by a rule about one thing. */
function keyOf(
  alert: Pick<DeviceAlert, 'rule' | 'topic' | 'detail'> & { readonly raised_at: string },
): string {
  const { rule, topic, detail, raised_at } = alert;
  return JSON.stringify([rule, topic ?? '', detail ?? '', new Date(raised_at).getTime()]);
}

function keyOfRecord(record: AlertRecord): string {
  return keyOf({ ...record, raised_at: record.raisedAt.toISOString() });
}

/** An acknowledgement in the cloud stays, though the device does not know of it yet. */
async function upsert(tx: Database, siteId: number, alerts: readonly DeviceAlert[]): Promise<AlertRecord[]> {
  const sent = alerts.map(({ severity, ...alert }) => ({ ...alert, severity: severityNumber(severity) }));
  const { rows } = await sql<AlertRecord>`
    insert into alerts (site_id, device_alert_id, rule, kind, severity, topic, name, detail, value, limit_value, unit,
      since, raised_at, last_at, cleared_at, acknowledged_at, acknowledged_by, times, text)
    select ${siteId}, id, rule, kind, severity, topic, name, detail, value, "limit", unit,
      since, raised_at, last_at, cleared_at, acknowledged_at, acknowledged_by, times, text
    from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as sent (id bigint, rule text, kind text, severity smallint,
      topic text, name text, detail text, value jsonb, "limit" double precision, unit text, since timestamptz,
      raised_at timestamptz, last_at timestamptz, cleared_at timestamptz, acknowledged_at timestamptz,
      acknowledged_by text, times integer, text text)
    on conflict (site_id, rule, coalesce(topic, ''), coalesce(detail, ''), raised_at) do update set
      device_alert_id = excluded.device_alert_id, severity = excluded.severity, name = excluded.name,
      value = excluded.value, limit_value = excluded.limit_value, unit = excluded.unit, since = excluded.since,
      last_at = excluded.last_at, cleared_at = excluded.cleared_at, times = excluded.times, text = excluded.text,
      acknowledged_at = case when alerts.acknowledged_by_id is null
        then excluded.acknowledged_at else alerts.acknowledged_at end,
      acknowledged_by = case when alerts.acknowledged_by_id is null
        then excluded.acknowledged_by else alerts.acknowledged_by end
    returning ${ALERT_FIELDS}`.execute(tx);
  return rows;
}

/**
 * Alerts of a device that was replaced or restored since, which it cannot clear.
 *
 * @param sent which say themselves whether they are over
 */
async function clearOthers(
  tx: Database,
  siteId: number,
  open: NonNullable<DeviceAlertsBody['open']>,
  sent: readonly DeviceAlert[],
  context: { readonly at: Date; readonly organizationId: number | null },
): Promise<void> {
  const { rows } = await sql<AlertRecord>`
    update alerts set cleared_at = ${context.at}
    where site_id = ${siteId} and cleared_at is null and device_alert_id is not null
      and not exists (select from unnest(${open.map(({ id }) => id)}::bigint[],
        ${open.map(({ raised_at }) => raised_at)}::timestamptz[]) as listed (id, raised_at)
        where listed.id = alerts.device_alert_id and listed.raised_at = alerts.raised_at)
      and not exists (select from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
          as sent (rule text, topic text, detail text, raised_at timestamptz)
        where sent.rule = alerts.rule and sent.raised_at = alerts.raised_at
          and coalesce(sent.topic, '') = coalesce(alerts.topic, '')
          and coalesce(sent.detail, '') = coalesce(alerts.detail, ''))
    returning ${ALERT_FIELDS}`.execute(tx);
  await appendEvents(
    tx,
    rows.map((alert) => alertEvent('alert.cleared', alert, context)),
  );
}

async function acknowledgedHere(tx: Database, siteId: number): Promise<DeviceAlertsAnswer['acknowledged']> {
  const found = await tx
    .selectFrom('alerts')
    .select(['device_alert_id as id', 'raised_at as raisedAt', 'acknowledged_by as by'])
    .where('site_id', '=', siteId)
    .where('cleared_at', 'is', null)
    .where('acknowledged_by_id', 'is not', null)
    .where('device_alert_id', 'is not', null)
    .execute();
  return found.map(({ id, raisedAt, by }) => ({
    id: Number(id),
    raised_at: raisedAt.toISOString(),
    by: by ?? '',
  }));
}
