import type { Clock, Logger } from '@heliograph/kit';
import type { MailJob } from './jobs.ts';

/** Shortest time between two lines about the queue's trouble, in milliseconds. */
const QUEUE_WARNING_GAP_MS = 60_000;

/** What is logged of mails: never an address, a name or a link. Of an outage, its begin and its end. */
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

  /** There was nobody to write to, or nothing left to say. */
  skipped(mail: string, kind: MailJob['kind']): void {
    this.#logger.debug({ mail, kind }, 'mail not needed');
  }

  /** @param reason codes, without the server's words */
  refused(mail: string, domain: string, reason: string): void {
    this.#logger.warn({ mail, domain, reason }, 'the mail server refuses the recipient');
  }

  /** @param reason codes, without the server's words */
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
