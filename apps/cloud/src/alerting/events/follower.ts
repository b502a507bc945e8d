import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Work } from '../../delivery/due-work.ts';
import { nextEvents } from './feed.ts';
import type { FeedEvent } from './position.ts';

/** Events of one transaction. */
const BATCH_SIZE = 1_000;

export interface EventFollowerOptions {
  readonly db: Database;
  /** Of its place in the feed. */
  readonly name: string;
  /** Does what follows from events, in the transaction that stores the place behind them. */
  readonly take: (tx: Database, events: readonly FeedEvent[]) => Promise<void>;
}

/**
 * Takes each event of the feed once, whatever number of processes do so: one that dies has taken the events and stored
 * its place, or neither. It begins with what happens after its first start.
 */
export class EventFollower implements Work {
  readonly #options: EventFollowerOptions;

  constructor(options: EventFollowerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  async begin(): Promise<void> {
    const { db, name } = this.#options;
    await sql`insert into event_cursors (name, transaction, id)
      values (${name}, pg_snapshot_xmin(pg_current_snapshot()), 0) on conflict do nothing`.execute(db);
  }

  isDue(): RawBuilder<SqlBool> {
    const { name } = this.#options;
    return sql`exists (select from events where (transaction, id) >
        (select transaction, id from event_cursors where name = ${name})
      and transaction < pg_snapshot_xmin(pg_current_snapshot()))`;
  }

  async run(end: AbortSignal): Promise<void> {
    while (!end.aborted && (await this.#takeNext()) > 0);
  }

  /** @returns how many events there were; 0 while another process takes them */
  #takeNext(): Promise<number> {
    const { db, name, take } = this.#options;
    return db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ transaction: string; id: string }>`
        select transaction, id from event_cursors where name = ${name} for update skip locked`.execute(tx);
      const [place] = rows;
      if (place === undefined) return 0;
      const events = await nextEvents(tx, { atMs: 0, ...place }, BATCH_SIZE);
      const last = events.at(-1);
      if (last === undefined) return 0;
      await take(tx, events);
      await sql`update event_cursors set transaction = ${last.transaction}::xid8, id = ${last.id}::bigint
        where name = ${name}`.execute(tx);
      return events.length;
    });
  }
}
