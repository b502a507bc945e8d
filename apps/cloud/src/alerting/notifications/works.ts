import { sql } from 'kysely';
import type { Work } from '../../delivery/due-work.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { EventFollower } from '../events/service.ts';
import { type PostOptions, Posts, sendMails } from './delivery.ts';
import { escalate, storeMessages } from './intake.ts';

const ESCALATION_INTERVAL_MS = 60_000;

/** Of its place in the feed. */
const FOLLOWER = 'notifications';

export interface NotificationWorkOptions extends PostOptions {
  readonly mail: MailService;
}

/** Makes messages to people of the feed of events, and sends those that are due. */
export function notificationWorks(options: NotificationWorkOptions): Work[] {
  const { db, mail, clock } = options;
  const now = () => new Date(clock.now());
  let escalatesAtMs = 0;
  return [
    new EventFollower({ db, name: FOLLOWER, take: (tx, events) => storeMessages(tx, events, now()) }),
    {
      name: 'alerts that no person has acknowledged',
      isDue: (at) => sql`${at.getTime() >= escalatesAtMs}
        and exists (select from notification_settings where escalation_minutes is not null)`,
      run: async () => {
        escalatesAtMs = clock.now() + ESCALATION_INTERVAL_MS;
        await db.transaction().execute(async (tx) => {
          // Not while another process stores messages, which both count and queue for the same accounts.
          await sql`select from event_cursors where name = ${FOLLOWER} for update`.execute(tx);
          await escalate(tx, now());
        });
      },
    },
    {
      name: 'mails about alerts',
      isDue: (at) => sql`exists (select from notifications
        where state = 'waiting' and channel = 'mail' and due_at <= ${at})`,
      run: async (end) => {
        while (!end.aborted && (await sendMails(db, mail, now())) > 0);
      },
    },
    new Posts(options),
  ];
}
