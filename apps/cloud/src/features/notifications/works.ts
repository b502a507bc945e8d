import { sql } from 'kysely';
import type { Work } from '../../background/due-work.ts';
import { EventFollower } from '../events/service.ts';
import type { MailService } from '../mail/service.ts';
import { type PostOptions, Posts, sendMails } from './delivery.ts';
import { escalate, storeMessages } from './intake.ts';

const ESCALATION_INTERVAL_MS = 60_000;

export interface NotificationWorkOptions extends PostOptions {
  readonly mail: MailService;
}

/** Makes messages to people of the feed of events, and sends those that are due. */
export function notificationWorks(options: NotificationWorkOptions): Work[] {
  const { db, mail, secrets, clock, logger } = options;
  const posts = new Posts(options);
  const now = () => new Date(clock.now());
  let escalatesAtMs = 0;
  return [
    new EventFollower({ db, name: 'notifications', take: (tx, events) => storeMessages(tx, events, now()) }),
    {
      name: 'alerts that no person has acknowledged',
      isDue: (at) => sql`${at.getTime() >= escalatesAtMs}
        and exists (select from notification_settings where escalation_minutes is not null)`,
      run: async () => {
        escalatesAtMs = clock.now() + ESCALATION_INTERVAL_MS;
        await escalate(db, now());
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
    {
      name: 'messages about alerts',
      begin: async () => {
        if (!(await secrets.replaceUnreadablePushKeys())) return;
        logger.warn(
          'no secret of this cloud reads the keys of push messages, which are replaced: people must turn messages on again in their browsers',
        );
      },
      isDue: (at) => sql`exists (select from notifications
        where state in ('waiting', 'sending') and channel <> 'mail' and due_at <= ${at})`,
      run: async (end) => {
        while (!end.aborted && (await posts.run()) > 0);
      },
    },
  ];
}
