import { MAX_OPEN_ALERTS } from '@heliograph/contracts';
import { sql } from 'kysely';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import { alertEvent } from './alert-events.ts';
import { ALERT_FIELDS, type AlertRecord } from './alert-records.ts';

const CRITICAL = 3;

/** The open alerts of a site that its device sent, during one upload: the last of them are for critical ones. */
export class OpenAlerts {
  #count: number;

  private constructor(count: number) {
    this.#count = count;
  }

  /** @param tx in which the site is locked */
  static async of(tx: Database, siteId: number): Promise<OpenAlerts> {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from alerts
      where site_id = ${siteId} and cleared_at is null and device_alert_id is not null`.execute(tx);
    return new OpenAlerts(rows[0]?.count ?? 0);
  }

  get hasCapacity(): boolean {
    return this.#count < MAX_OPEN_ALERTS.lessThanCritical;
  }

  /** Counts a change of an alert. @returns false, and counts nothing, where there is no room for another open one */
  admit(wasOpen: boolean, isOpen: boolean, severity: number): boolean {
    const { all, lessThanCritical } = MAX_OPEN_ALERTS;
    if (isOpen && !wasOpen && this.#count >= (severity === CRITICAL ? all : lessThanCritical)) return false;
    this.#count += Number(isOpen) - Number(wasOpen);
    return true;
  }
}

/** Raises an alert about refused ones, or clears it once there is room for any again. */
export async function reportRefused(
  tx: Database,
  siteId: number,
  hasRefused: boolean,
  context: { readonly at: Date; readonly organizationId: number | null },
): Promise<void> {
  const { at } = context;
  const isOpen = sql`site_id = ${siteId} and rule = 'too_many_alerts' and cleared_at is null`;
  if (hasRefused) {
    const { rows } = await sql<AlertRecord>`
      insert into alerts (site_id, rule, kind, severity, unit, since, raised_at, last_at, times, text)
      select ${siteId}, 'too_many_alerts', 'too_many_alerts', ${CRITICAL}, '', ${at}, ${at}, ${at}, 1,
        'Too many alerts are open: further ones are not stored'
      where not exists (select from alerts where ${isOpen})
      on conflict do nothing returning ${ALERT_FIELDS}`.execute(tx);
    await appendEvents(
      tx,
      rows.map((alert) => alertEvent('alert.raised', alert, context)),
    );
    return;
  }
  if (!(await OpenAlerts.of(tx, siteId)).hasCapacity) return;
  const { rows } = await sql<AlertRecord>`update alerts set cleared_at = ${at}, last_at = ${at}
    where ${isOpen} returning ${ALERT_FIELDS}`.execute(tx);
  await appendEvents(
    tx,
    rows.map((alert) => alertEvent('alert.cleared', alert, context)),
  );
}
