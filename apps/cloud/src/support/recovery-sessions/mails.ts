import type { Database } from '../../db/open.ts';
import type { MailJob, MailService } from '../../delivery/mail/service.ts';
import type { RecoverySessionRepository, SessionRecord } from './repository.ts';

type Event = Extract<MailJob, { kind: 'recovery' }>['event'];

/** Mails about sessions, queued in the transaction of their cause. */
export class RecoveryMails {
  readonly #mail: Pick<MailService, 'enqueue'>;
  readonly #sessions: RecoverySessionRepository;

  constructor(mail: Pick<MailService, 'enqueue'>, sessions: RecoverySessionRepository) {
    this.#mail = mail;
    this.#sessions = sessions;
  }

  /** To owner and admins of the site, except the one who did it; of an answer also to who requested it. */
  async send(tx: Database, event: Event, session: SessionRecord, actorId: number | null): Promise<void> {
    const readers = new Set(await this.#sessions.household(tx, session.siteId));
    if (!event.startsWith('asked') && session.requestedBy !== null) readers.add(session.requestedBy);
    for (const userId of readers) {
      if (userId === actorId) continue;
      const about = { userId, organizationId: session.siteOrganizationId, sessionId: session.id };
      await this.#mail.enqueue(tx, { kind: 'recovery', event, ...about });
    }
  }
}
