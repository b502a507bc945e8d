import { type Clock, type Logger, reasonOf, wait } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/open.ts';

/** How often an idle process looks for work, in milliseconds. */
const LOOK_INTERVAL_MS = 1_000;

/** Before a second look after one that found work, and before one that was asked for: follow-up work is usually due by then. */
const SOON_MS = 100;

/** Work that waits in the database, for one of several processes. */
export interface Work {
  /** In the log, where it fails: "mails about alerts". */
  readonly name: string;
  /** Before the first look. @param lookSoon for work of this process that is about to be due */
  begin?(lookSoon: () => void): Promise<void> | void;
  /** Whether there is any: a condition that indexes answer, as it is asked for each second. */
  isDue(now: Date): RawBuilder<SqlBool>;
  /** Does all that is due, until `end`. It is not called again before it has ended. */
  run(end: AbortSignal): Promise<void>;
  /** After the last look and all runs. */
  stop?(): Promise<void>;
}

export interface DueWorkOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly works: readonly Work[];
  /** How often it is looked for, in milliseconds. */
  readonly lookIntervalMs?: number | undefined;
}

/**
 * Asks the database each second, with one query for all works, what is due, and does that. An idle process does no more
 * than this query.
 */
export class DueWork {
  readonly #options: DueWorkOptions;
  readonly #end = new AbortController();
  readonly #running = new Map<Work, Promise<void>>();
  #pause = new AbortController();
  #isWantedSoon = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: DueWorkOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    for (const work of this.#options.works) await work.begin?.(() => this.#lookSoon());
    this.#looking = this.#look();
  }

  /** Resolves when all works have ended. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#pause.abort();
    await this.#looking;
    await Promise.all(this.#running.values());
    for (const work of this.#options.works) await work.stop?.();
  }

  #lookSoon(): void {
    this.#isWantedSoon = true;
    this.#pause.abort();
  }

  async #look(): Promise<void> {
    const { lookIntervalMs = LOOK_INTERVAL_MS } = this.#options;
    let isSecond = false;
    let isFailing = false;
    while (!this.#end.signal.aborted) {
      try {
        isSecond = (await this.#startDue()) && !isSecond;
        if (isFailing) this.#options.logger.info('work that is due is looked for again');
        isFailing = false;
      } catch (error) {
        isSecond = false;
        const level = isFailing ? 'debug' : 'warn';
        this.#options.logger[level]({ reason: reasonOf(error) }, 'work that is due could not be looked for');
        isFailing = true;
      }
      if (!isSecond) await wait(lookIntervalMs, this.#pause.signal);
      this.#pause = new AbortController();
      const isSoon = isSecond || this.#isWantedSoon;
      this.#isWantedSoon = false;
      if (isSoon) await wait(Math.min(SOON_MS, lookIntervalMs), this.#end.signal);
    }
  }

  /** @returns whether any work is due */
  async #startDue(): Promise<boolean> {
    const { db, clock, works } = this.#options;
    const now = new Date(clock.now());
    const { rows } = await sql<{ due: boolean[] }>`
      select array[${sql.join(works.map((work) => sql`(${work.isDue(now)})`))}] as due`.execute(db);
    const due = works.filter((_, index) => rows[0]?.due[index]);
    for (const work of due) this.#start(work);
    return due.length > 0;
  }

  #start(work: Work): void {
    if (this.#running.has(work) || this.#end.signal.aborted) return;
    const running = work
      .run(this.#end.signal)
      .catch((error: unknown) => {
        this.#options.logger.warn(
          { work: work.name, reason: reasonOf(error) },
          'work that is due could not be done',
        );
      })
      .finally(() => this.#running.delete(work));
    this.#running.set(work, running);
  }
}
