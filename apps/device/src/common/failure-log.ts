import { type Logger, messageOf } from '@heliograph/kit';

/** Logs the first failure of a run of failures and the recovery, not every miss. */
export class FailureLog {
  readonly #logger: Logger;
  readonly #failure: string;
  readonly #recovery: string;
  #failing = false;

  /** @param failure the log message of the first failure @param recovery that of the first success after it */
  constructor(logger: Logger, failure: string, recovery: string) {
    this.#logger = logger;
    this.#failure = failure;
    this.#recovery = recovery;
  }

  failed(error: unknown, level: 'warn' | 'info' = 'warn'): void {
    if (this.#failing) return;
    this.#failing = true;
    this.#logger[level]({ reason: messageOf(error) }, this.#failure);
  }

  succeeded(): void {
    if (!this.#failing) return;
    this.#failing = false;
    this.#logger.info(this.#recovery);
  }
}
