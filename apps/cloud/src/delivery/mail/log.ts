import type { Logger } from '@heliograph/kit';
import type { MailJob } from './jobs.ts';

/** Logs mails without addresses, names and links. Of an outage it logs the start and the end. */
export class MailLog {
  readonly #logger: Logger;
  #isDelayed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
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
}
