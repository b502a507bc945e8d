import type { Clock, Logger } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { type ExpiredRows, expiredRowsAt } from './expired-rows.ts';

/** Rows deleted in one transaction: few, so that requests do not wait for it. */
const BATCH = 1_000;

const FIRST_RUN_MS = 60_000;

const INTERVAL_MS = 60 * 60 * 1000;

/** Id of the advisory lock that lets one process delete at a time; an arbitrary constant. */
const LOCK_ID = 4_871_204;

/** Work that is due by time, such as the end of unpaid orders. Several processes may do it at once. */
export type Chore = () => Promise<unknown>;

/** Deletes expired rows hourly, in small batches, in one of several processes at a time; and does the chores. */
export class Housekeeping {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #chores: readonly Chore[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(db: Database, clock: Clock, logger: Logger, chores: readonly Chore[] = []) {
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
    this.#chores = chores;
  }

  /** @param afterMs leaves a process that has just started to its requests */
  start(afterMs = FIRST_RUN_MS): void {
    this.#schedule(afterMs);
  }

  /** Resolves after the current batch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Deletes every expired row, unless another process does, and does the chores. */
  async run(): Promise<void> {
    for (const expired of expiredRowsAt(this.#clock.now())) {
      let deleted = BATCH;
      while (deleted === BATCH && !this.#stopped) deleted = await this.#deleteBatch(expired);
    }
    for (const chore of this.#chores) await this.#do(chore);
  }

  /** A chore that fails leaves the others to be done. */
  async #do(chore: Chore): Promise<void> {
    if (this.#stopped) return;
    try {
      await chore();
    } catch (err) {
      this.#logger.warn({ err }, 'work that is due could not be done; the next try is in an hour');
    }
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#runAndReschedule();
    }, delayMs);
    this.#timer.unref();
  }

  async #runAndReschedule(): Promise<void> {
    try {
      await this.run();
    } catch (err) {
      this.#logger.warn({ err }, 'what has expired could not be deleted; the next try is in an hour');
    }
    if (!this.#stopped) this.#schedule(INTERVAL_MS);
  }

  /** @returns the number of rows deleted; 0 while another process holds the lock */
  #deleteBatch({ table, condition }: ExpiredRows): Promise<number> {
    return this.#db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${LOCK_ID}) as free`.execute(tx);
      if (!rows[0]?.free) return 0;
      // Rows that a request is writing are left for the next run, so that neither waits for the other.
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where ${condition} limit ${BATCH} for update skip locked))`.execute(
        tx,
      );
      return Number(numAffectedRows);
    });
  }
}
