import { type Clock, type Logger, messageOf } from '@heliograph/kit';

/** `last_used_at` is for people; one write in this time is precise enough. */
const PRECISION_MS = 5 * 60 * 1000;

interface Marks {
  markUsed(ids: readonly number[], at: Date): Promise<void>;
}

/**
 * Notes when tokens were last used, behind the requests that use them: no answer waits for it, and none fails
 * with it. At most one write is under way; what comes meanwhile goes into the next.
 */
export class LastUsed {
  readonly #marks: Marks;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waiting = new Set<number>();
  #writing = false;

  constructor(marks: Marks, clock: Clock, logger: Logger) {
    this.#marks = marks;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @param before when it was used before, as far as the database knows */
  note(tokenId: number, before: Date | null): void {
    if (before !== null && this.#clock.now() - before.getTime() <= PRECISION_MS) return;
    this.#waiting.add(tokenId);
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting];
      this.#waiting.clear();
      try {
        await this.#marks.markUsed(ids, new Date(this.#clock.now()));
      } catch (error) {
        // The next use of these tokens notes it again.
        this.#logger.debug({ reason: messageOf(error) }, 'when tokens were used was not noted');
      }
    }
    this.#writing = false;
  }
}
