import type { Clock } from '@heliograph/kit';
import { SERVICE } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { RecoveryMails } from './mails.ts';
import type { RecoverySessionRepository, SessionRecord } from './repository.ts';

/** Records and mails the end of sessions that ended by themselves; that they are over follows from their dates. */
export class RecoveryConclusion {
  readonly #db: Database;
  readonly #sessions: RecoverySessionRepository;
  readonly #mails: RecoveryMails;
  readonly #clock: Clock;

  constructor(db: Database, sessions: RecoverySessionRepository, mails: RecoveryMails, clock: Clock) {
    this.#db = db;
    this.#sessions = sessions;
    this.#mails = mails;
    this.#clock = clock;
  }

  /** Several processes may do this at once: each end is mailed once. */
  async run(): Promise<void> {
    let concluded: number;
    do concluded = await this.#concludeBatch();
    while (concluded > 0);
  }

  /** @returns the number of sessions */
  #concludeBatch(): Promise<number> {
    const at = new Date(this.#clock.now());
    return this.#db.transaction().execute(async (tx) => {
      const sessions = await this.#sessions.unconcluded(tx, at);
      for (const session of sessions) await this.#conclude(tx, session, at);
      return sessions.length;
    });
  }

  async #conclude(tx: Database, session: SessionRecord, at: Date): Promise<void> {
    if (session.endedAt === null && session.declinedAt === null) {
      const details = { recovery_session: session.id, end_reason: session.endReason };
      const { siteId, siteOrganizationId: organizationId } = session;
      await recordAudit(tx, SERVICE, at, {
        action: 'recovery_session.expired',
        siteId,
        organizationId,
        details,
      });
    }
    await this.#mails.send(tx, 'ended', session, null);
    await this.#sessions.change(tx, session.id, { is_concluded: true });
  }
}
