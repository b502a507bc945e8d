import { type Clock, type Logger, messageOf } from '@heliograph/kit';

/** `last_used_at` is for people; one write in this time is precise enough. */
const PRECISION_MS = 5 * 60 * 1000;

/** A token, and the address that it was used from. */
export interface TokenUse {
  readonly id: number;
  readonly address: string | null;
}

interface TokenUseStore {
  markUsed(uses: readonly TokenUse[], at: Date): Promise<void>;
}

/**
 * Notes when and from where tokens were last used, behind the requests that use them: no answer waits for it, and none fails
 * with it. At most one write is under way; what comes meanwhile goes into the next.
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

  /** @param before when it was used before, as far as the database knows */
  record(use: TokenUse, before: Date | null): void {
    if (before !== null && this.#clock.now() - before.getTime() <= PRECISION_MS) return;
    this.#waiting.set(use.id, use);
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.size > 0) {
      const uses = [...this.#waiting.values()];
      this.#waiting.clear();
      try {
        await this.#marks.markUsed(uses, new Date(this.#clock.now()));
      } catch (error) {
        // The next use of these tokens notes it again.
        this.#logger.debug({ reason: messageOf(error) }, 'when tokens were used was not noted');
      }
    }
    this.#writing = false;
  }
}
