import { type Clock, type Logger, messageOf, outsideOfRequests } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** `last_used_at` is shown to people, so one write in this time is precise enough. */
const PRECISION_MS = 5 * 60 * 1000;

export interface TokenUse {
  readonly id: number;
  readonly address: string | null;
}

type StoreUses = (uses: readonly TokenUse[], at: Date) => Promise<void>;

/**
 * Records the last use of tokens in the background: no answer waits for it or fails with it. One write is in progress
 * at most; uses meanwhile go into the next one.
 */
export class LastUsed {
  readonly #store: StoreUses;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waiting = new Map<number, TokenUse>();
  #writing = false;

  constructor(store: StoreUses, clock: Clock, logger: Logger) {
    this.#store = store;
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
        await this.#store(uses, new Date(this.#clock.now()));
      } catch (error) {
        // The next use of these tokens is recorded again.
        this.#logger.debug({ reason: messageOf(error) }, 'when tokens were used was not noted');
      }
    }
    this.#writing = false;
  }
}

/** Stores uses of tokens. Rows that another process is writing are skipped: it stores the same. */
export async function storeUses(db: Database, uses: readonly TokenUse[], at: Date): Promise<void> {
  const ids = uses.map(({ id }) => id);
  const addresses = uses.map(({ address }) => address);
  await sql`
      update tokens set last_used_at = ${at}, last_used_address = used.address
      from (
        select tokens.id, uses.address
        from tokens join unnest(${ids}::int[], ${addresses}::inet[]) as uses (id, address) on uses.id = tokens.id
        for no key update of tokens skip locked
      ) as used
      where tokens.id = used.id`.execute(db);
}
