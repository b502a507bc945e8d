import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { sql } from 'kysely';
import type { MailConfig } from '../../common/config/env.ts';
import type { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';
import type { Database } from '../../db/open.ts';
import type { Work } from '../due-work.ts';
import { type ClaimedDelivery, Outbox, type Outcome } from '../outbox.ts';
import { formerQueueWork } from './former-queue.ts';
import { isMailJob, type MailJob } from './jobs.ts';
import { MailLog } from './log.ts';
import { MailboxRepository } from './mailbox/repository.ts';
import { Mailbox } from './mailbox/service.ts';
import { MailRepository } from './repository.ts';
import { SmtpTransport } from './smtp.ts';
import { MAIL_TIMING, type MailTiming } from './timing.ts';
import { RecipientRefused, type Transport } from './transport.ts';
import { MailWriter } from './writer.ts';

export { notificationText, repeatedText } from './alert-notices.ts';
export type { MailJob, SecondFactorMail } from './jobs.ts';
export { LINK_LIFETIMES_MS } from './timing.ts';

/** Mails that a process sends at the same time. */
const CONCURRENCY = 4;

/** Mails that a person waits for, such as links, and those about critical alerts leave before those about other alerts. */
const LANES = { urgent: 0, ordinary: 1 } as const;

/** How an attempt to send a mail ended. */
export type MailOutcome = 'sent' | 'refused' | 'delayed';

export interface MailOptions {
  readonly db: Database;
  readonly mail: MailConfig;
  /** The cloud's public URL, below which links lie. */
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Mails about alerts have no way to end them by one click without it. */
  readonly unsubscribeTokens?: UnsubscribeTokens;
  readonly timing?: MailTiming;
}

/**
 * The mails among the deliveries, and the sender of them.
 *
 * A process that dies between the mail server's acceptance and its own record leaves a mail that is sent twice: better
 * than never. Both have the same Message-ID, and the links of both are valid; a second mail about
 * alerts has "sent again" in its subject.
 */
export class MailService {
  readonly #options: MailOptions;
  readonly #writer: MailWriter;
  readonly #transport: Transport;
  /** Stores mails instead of sending them, in development. */
  readonly mailbox?: Mailbox;
  readonly #log: MailLog;
  readonly #outcomes: Record<MailOutcome, number> = { sent: 0, refused: 0, delayed: 0 };
  readonly #timing: MailTiming;
  #lookSoon: () => void = () => undefined;

  constructor(options: MailOptions) {
    const { db, mail, cloudUrl, clock, logger, unsubscribeTokens, timing = MAIL_TIMING } = options;
    this.#options = options;
    this.#timing = timing;
    this.#log = new MailLog(logger);
    this.#writer = new MailWriter(db, new MailRepository(db), cloudUrl, clock, unsubscribeTokens);
    if (mail.kind === 'smtp') {
      this.#transport = new SmtpTransport(mail.url, mail.from);
    } else {
      this.mailbox = new Mailbox(new MailboxRepository(db), clock);
      this.#transport = this.mailbox;
    }
  }

  /** Attempts of this process since its start. */
  get outcomes(): Readonly<Record<MailOutcome, number>> {
    return this.#outcomes;
  }

  /** Sends queued mails; to be started once the cloud's URL is known, which links need. */
  works(): Work[] {
    const { db, clock, logger } = this.#options;
    const { retries, leaseMs, stopMs } = this.#timing;
    const outbox = new Outbox({
      ...{ db, clock, logger, stopMs },
      sender: {
        name: 'mails',
        deliveries: sql`kind = 'mail' and due_at is not null`,
        concurrency: CONCURRENCY,
        ...{ retries, leaseMs },
        send: (claim, end) => this.#send(claim, end),
      },
    });
    return [
      {
        name: outbox.name,
        begin: (lookSoon) => {
          this.#lookSoon = lookSoon;
        },
        isDue: (now) => outbox.isDue(now),
        run: () => outbox.run(),
        stop: () => outbox.stop(),
      },
      formerQueueWork(db, clock),
    ];
  }

  /** Queues a mail as part of a transaction: it is sent if and only if that commits. */
  async enqueue(tx: Database, job: MailJob): Promise<void> {
    const now = new Date(this.#options.clock.now());
    const isUrgent = job.kind !== 'alerts' || job.isCritical;
    await tx
      .insertInto('deliveries')
      .values({
        kind: 'mail',
        tenant: tenantOf(job),
        lane: isUrgent ? LANES.urgent : LANES.ordinary,
        payload: JSON.stringify(job),
        message_id: sql`gen_random_uuid()`,
        // Whatever the clocks of the processes that queue and send.
        due_at: sql`'-infinity'`,
        created_at: now,
      })
      .execute();
    this.#lookSoon();
  }

  /** After the last attempt. */
  stop(): void {
    this.#transport.close();
  }

  async #send(claim: ClaimedDelivery, end: AbortSignal): Promise<Outcome> {
    const { payload, isDoubtful } = claim;
    const id = claim.messageId ?? claim.id;
    const job = payload;
    // A process of a newer release can send it.
    if (!isMailJob(job)) return this.#delayed(id, 'this release has no such mail');
    const deadline = AbortSignal.timeout(this.#timing.deliveryMs);
    try {
      const mail = await this.#writer.write(id, job, isDoubtful);
      if (mail === undefined) {
        this.#log.skipped(id, job.kind);
        return { is: 'skipped' };
      }
      await this.#transport.deliver(mail, AbortSignal.any([end, deadline]));
      this.#outcomes.sent += 1;
      this.#log.sent(id, job.kind);
      return { is: 'sent' };
    } catch (error) {
      const failure = messageOf(error);
      if (error instanceof RecipientRefused) {
        this.#outcomes.refused += 1;
        this.#log.refused(id, error.domain, failure);
        return { is: 'refused', failure };
      }
      return this.#delayed(id, failure);
    }
  }

  #delayed(id: string, failure: string): Outcome {
    this.#outcomes.delayed += 1;
    this.#log.delayed(id, failure);
    return { is: 'retry', failure };
  }
}

/** Those whose mails have turns with others': an organization, or minus an account. */
function tenantOf(job: MailJob): number {
  if ('organizationId' in job && job.organizationId !== null) return job.organizationId;
  return 'userId' in job ? -job.userId : 0;
}
