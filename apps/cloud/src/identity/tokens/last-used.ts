import { type Clock, type Logger, messageOf, outsideOfRequests } from '@heliograph/kit';

/** `last_used_at` is shown to people, so one write in this time is precise enough. */
const PRECISION_MS = 5 * 60 * 1000;

export interface TokenUse {
  readonly id: number;
  readonly address: string | null;
}

interface TokenUseStore {
  markUsed(uses: readonly TokenUse[], at: Date): Promise<void>;
}

/**
 * Records the last use of tokens in the background: no answer waits for it or fails with it. One write is in progress
 * at most; uses meanwhile go into the next one.
 */
export class LastUsed {
  readonly #marks: TokenUseStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waiting = new Map<number, TokenUse>();
  #writing = false;

  constructor(marks: TokenUseStore, clock: Clock, logger: Logger) {
    this.#marks = marks;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @param before the last use in the database */
  record(use: TokenUse, before: Date | null): void {
    if (before !== null && this.#clock.now() - before.getTime() <= PRECISION_MS) return;
    this.#waiting.set(use.id, use);
    if (!this.#writing) void outsideOfRequests(() => this.#write())();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.size > 0) {
      const uses = [...this.#waiting.values()];
      this.#waiting.clear();
      try {
        await this.#marks.markUsed(uses, new Date(this.#clock.now()));
      } catch (error) {
        // The next use of these tokens is recorded again.
        this.#logger.debug({ reason: messageOf(error) }, 'when tokens were used was not noted');
      }
    }
    this.#writing = false;
  }
}
