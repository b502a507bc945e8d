import type { Clock, Logger } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../db/open.ts';
import { type ExpiredRows, expiredRowsAt } from './expired-rows.ts';

/** Rows deleted in one transaction: few enough that nobody waits for it. */
const BATCH = 1_000;

/** A process that has just started has better things to do. */
const FIRST_RUN_MS = 60_000;

const INTERVAL_MS = 60 * 60 * 1000;

/** Names the lock under which one process cleans while the others leave it to that one; any constant will do. */
const LOCK_ID = 4_871_204;

/** Deletes hourly what has expired, in small batches, whichever of several processes comes first. */
export class Housekeeping {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(db: Database, clock: Clock, logger: Logger) {
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
  }

  start(): void {
    this.#schedule(FIRST_RUN_MS);
  }

  /** Ends after the batch that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Deletes everything that is left over now, unless another process is at it. */
  async run(): Promise<void> {
    for (const leftover of expiredRowsAt(this.#clock.now())) {
      let deleted = BATCH;
      while (deleted === BATCH && !this.#stopped) deleted = await this.#deleteBatch(leftover);
    }
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#runAndGoOn();
    }, delayMs);
    this.#timer.unref();
  }

  async #runAndGoOn(): Promise<void> {
    try {
      await this.run();
    } catch (err) {
      this.#logger.warn({ err }, 'what has expired could not be deleted; the next try is in an hour');
    }
    if (!this.#stopped) this.#schedule(INTERVAL_MS);
  }

  /** @returns how many rows it deleted; none while another process is at it */
  #deleteBatch({ table, condition }: ExpiredRows): Promise<number> {
    return this.#db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${LOCK_ID}) as free`.execute(tx);
      if (!rows[0]?.free) return 0;
      // Rows that a request is writing are left for the next time: nobody waits for anybody.
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where ${condition} limit ${BATCH} for update skip locked))`.execute(
        tx,
      );
      return Number(numAffectedRows);
    });
  }
}
