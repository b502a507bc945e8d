import { type DeviceAlertsBody, MAX_OPEN_ALERTS } from '@heliograph/contracts';
import { sql } from 'kysely';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import { alertEvent } from './alert-events.ts';
import { ALERT_FIELDS, type AlertRecord } from './alert-records.ts';

const CRITICAL = 3;

type AlertPlace = NonNullable<DeviceAlertsBody['open']>[number];

interface Context {
  readonly at: Date;
  readonly organizationId: number | null;
}

/** The open alerts of a site that its device sent, during one upload: the last of them are for critical ones. */
export class OpenAlerts {
  readonly #known: ReadonlySet<string>;
  #count: number;

  private constructor(known: ReadonlySet<string>) {
    this.#known = known;
    this.#count = known.size;
  }

  /** @param tx in which the site is locked */
  static async of(tx: Database, siteId: number): Promise<OpenAlerts> {
    const rows = await tx
      .selectFrom('alerts')
      .select(['device_alert_id as id', 'raised_at as raisedAt'])
      .where('site_id', '=', siteId)
      .where('cleared_at', 'is', null)
      .where('device_alert_id', 'is not', null)
      .execute();
    return new OpenAlerts(new Set(rows.map(({ id, raisedAt }) => `${id} ${raisedAt.getTime()}`)));
  }

  get hasCapacity(): boolean {
    return this.#count < MAX_OPEN_ALERTS.lessThanCritical;
  }

  get hasCapacityForCritical(): boolean {
    return this.#count < MAX_OPEN_ALERTS.all;
  }

  /** Of the alerts that the device lists as open, those that were not stored when they were read. */
  unknownOf(listed: readonly AlertPlace[]): AlertPlace[] {
    return listed.filter(({ id, raised_at }) => !this.#known.has(`${id} ${Date.parse(raised_at)}`));
  }

  /** Counts a change of an alert. @returns false, and counts nothing, where there is no room for another open one */
  admit(wasOpen: boolean, isOpen: boolean, severity: number): boolean {
    const { all, lessThanCritical } = MAX_OPEN_ALERTS;
    if (isOpen && !wasOpen && this.#count >= (severity === CRITICAL ? all : lessThanCritical)) return false;
    this.#count += Number(isOpen) - Number(wasOpen);
    return true;
  }
}

/** Raises an alert about refused ones. */
export async function reportRefused(tx: Database, siteId: number, context: Context): Promise<void> {
  const { at } = context;
  const { rows } = await sql<AlertRecord>`
    insert into alerts (site_id, rule, kind, severity, unit, since, raised_at, last_at, times, text)
    select ${siteId}, 'too_many_alerts', 'too_many_alerts', ${CRITICAL}, '', ${at}, ${at}, ${at}, 1,
      'Too many alerts are open: further ones are not stored'
    where not exists (select from alerts where ${isReportOf(siteId)})
    on conflict do nothing returning ${ALERT_FIELDS}`.execute(tx);
  await appendEvents(
    tx,
    rows.map((alert) => alertEvent('alert.raised', alert, context)),
  );
}

/** Clears the alert about refused ones. */
export async function clearRefused(tx: Database, siteId: number, context: Context): Promise<void> {
  const { rows } =
    await sql<AlertRecord>`update alerts set cleared_at = ${context.at}, last_at = ${context.at}
    where ${isReportOf(siteId)} returning ${ALERT_FIELDS}`.execute(tx);
  await appendEvents(
    tx,
    rows.map((alert) => alertEvent('alert.cleared', alert, context)),
  );
}

function isReportOf(siteId: number) {
  return sql`site_id = ${siteId} and rule = 'too_many_alerts' and cleared_at is null`;
}
