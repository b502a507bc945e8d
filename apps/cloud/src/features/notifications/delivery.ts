import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../mail/service.ts';

/** Mails of one transaction. */
const PEOPLE_AT_ONCE = 200;

/** Alerts and outages that one mail lists; the rest is on the page of alerts. */
const MOST_IN_MAIL = 50;

/**
 * Hands the mails that are due to the mail queue, one for all that a person is to know: in one transaction with their
 * state, so that each leaves once.
 *
 * @returns how many mails there were
 */
export function sendMails(db: Database, mail: MailService, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ userId: number; organizationId: number | null; ids: string[] }>`
      with due as (
        select id from notifications where state = 'waiting' and channel = 'mail' and due_at <= ${now}
        order by due_at limit ${PEOPLE_AT_ONCE * 10} for update skip locked
      ), sent as (
        update notifications set state = 'sent', sent_at = ${now}, attempts = 1
        where id in (select id from due) returning id, user_id, alert_id, outage_id
      )
      select sent.user_id as "userId", array_agg(sent.id order by sent.id) as ids,
        min(coalesce(sites.organization_id, outages.organization_id)) as "organizationId"
      from sent left join alerts on alerts.id = sent.alert_id left join sites on sites.id = alerts.site_id
        left join outages on outages.id = sent.outage_id
      group by sent.user_id`.execute(tx);
    for (const { userId, organizationId, ids } of rows) {
      const notificationIds = ids.slice(0, MOST_IN_MAIL);
      await mail.enqueue(tx, { kind: 'alerts', userId, organizationId, notificationIds });
    }
    return rows.length;
  });
}
