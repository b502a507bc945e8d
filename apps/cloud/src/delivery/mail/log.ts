import type { Clock, Logger } from '@heliograph/kit';
import type { MailJob } from './jobs.ts';

/** Least time between two warnings about the queue, in milliseconds. */
const QUEUE_WARNING_GAP_MS = 60_000;

/** Logs mails without addresses, names and links. Of an outage it logs the start and the end. */
export class MailLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  #isDelayed = false;
  #queueWarnedAt = Number.NEGATIVE_INFINITY;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  sent(mail: string, kind: MailJob['kind']): void {
    if (this.#isDelayed) this.#logger.info('mails leave again');
    this.#isDelayed = false;
    this.#logger.debug({ mail, kind }, 'mail sent');
  }

  /** For a mail without a reader, or one that became obsolete. */
  skipped(mail: string, kind: MailJob['kind']): void {
    this.#logger.debug({ mail, kind }, 'mail not needed');
  }

  /** @param reason codes without the server's text */
  refused(mail: string, domain: string, reason: string): void {
    this.#logger.warn({ mail, domain, reason }, 'the mail server refuses the recipient');
  }

  /** @param reason codes without the server's text */
  delayed(mail: string, reason: string): void {
    const level = this.#isDelayed ? 'debug' : 'warn';
    this.#logger[level]({ mail, reason }, 'a mail could not be sent and waits for another try');
    this.#isDelayed = true;
  }

  queueFailed(reason: string): void {
    const now = this.#clock.monotonic();
    if (now - this.#queueWarnedAt < QUEUE_WARNING_GAP_MS) return;
    this.#queueWarnedAt = now;
    this.#logger.warn({ reason }, 'the mail queue is in trouble');
  }
}
