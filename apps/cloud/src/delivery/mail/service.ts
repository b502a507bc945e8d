import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import type { MailConfig } from '../../common/config/env.ts';
import type { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';
import type { Database } from '../../db/open.ts';
import type { MailJob } from './jobs.ts';
import { MailLog } from './log.ts';
import { MailboxRepository } from './mailbox/repository.ts';
import { Mailbox } from './mailbox/service.ts';
import { MailQueue, type QueuedMail, type SendOutcome } from './queue.ts';
import { MailRepository } from './repository.ts';
import { SmtpTransport } from './smtp.ts';
import { MAIL_TIMING, type MailTiming } from './timing.ts';
import { RecipientRefused, type Transport } from './transport.ts';
import { MailWriter } from './writer.ts';

export { notificationText, repeatedText } from './alert-notices.ts';
export type { MailJob, SecondFactorMail } from './jobs.ts';
export { LINK_LIFETIMES_MS } from './timing.ts';

/** How an attempt to send a mail ended. */
export type MailOutcome = 'sent' | 'refused' | 'delayed';

export interface MailOptions {
  readonly db: Database;
  readonly databaseUrl: string;
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
 * The mail queue, which lives in the database, and the worker that sends what is in it.
 *
 * A process that dies between the mail server's acceptance and its own record leaves a mail that is sent twice: better
 * than never. Both have the same Message-ID, and the links of both are valid; a second mail about
 * alerts has "sent again" in its subject.
 */
export class MailService {
  readonly #queue: MailQueue;
  readonly #writer: MailWriter;
  readonly #transport: Transport;
  /** Stores mails instead of sending them, in development. */
  readonly mailbox?: Mailbox;
  readonly #log: MailLog;
  readonly #outcomes: Record<MailOutcome, number> = { sent: 0, refused: 0, delayed: 0 };
  readonly #timing: MailTiming;

  constructor(options: MailOptions) {
    const { db, databaseUrl, mail, cloudUrl, clock, logger, timing = MAIL_TIMING } = options;
    const { unsubscribeTokens } = options;
    this.#timing = timing;
    this.#log = new MailLog(logger, clock);
    this.#queue = new MailQueue({
      databaseUrl,
      timing,
      onError: (message) => this.#log.queueFailed(message),
    });
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

  /** Creates the queue; mails can be queued afterwards. */
  start(): Promise<void> {
    return this.#queue.start();
  }

  /** Starts sending queued mails. Called once the cloud's URL is known, which links need. */
  startSending(): Promise<void> {
    return this.#queue.work((mail) => this.#send(mail));
  }

  /** Queues a mail as part of a transaction: it is sent if and only if that commits. */
  enqueue(tx: Database, job: MailJob): Promise<void> {
    return this.#queue.add(tx, job);
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    this.#transport.close();
  }

  async #send({ id, job, signal, isRepetition }: QueuedMail): Promise<SendOutcome> {
    try {
      const mail = await this.#writer.write(id, job, isRepetition);
      if (mail === undefined) {
        this.#log.skipped(id, job.kind);
        return 'sent';
      }
      const deadline = AbortSignal.timeout(this.#timing.deliveryMs);
      await this.#transport.deliver(mail, AbortSignal.any([signal, deadline]));
      this.#outcomes.sent += 1;
      this.#log.sent(id, job.kind);
      return 'sent';
    } catch (error) {
      if (error instanceof RecipientRefused) {
        this.#outcomes.refused += 1;
        this.#log.refused(id, error.domain, error.message);
        return 'failed';
      }
      this.#outcomes.delayed += 1;
      this.#log.delayed(id, messageOf(error));
      return 'retry';
    }
  }
}
