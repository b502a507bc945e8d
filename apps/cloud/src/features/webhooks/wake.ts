import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { type EventPosition, endOfFeed, type FeedEvent, nextEvents } from '../events/service.ts';

/** Events that are looked at in one go. */
const AT_ONCE = 1_000;

/** Finds the webhooks that new events may be for, so that the others cost nothing. */
export class FeedWatch {
  readonly #db: Database;
  readonly #clock: Clock;
  #position: EventPosition | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Makes them due. */
  async wake(): Promise<void> {
    if (this.#position === undefined) {
      this.#position = await endOfFeed(this.#db, this.#clock.now());
      // Events that happened while no process was there.
      await sql`update webhooks set next_at = least(next_at, ${new Date(this.#clock.now())})
        where enabled and failing_since is null`.execute(this.#db);
    }
    for (;;) {
      const events = await nextEvents(this.#db, this.#position, AT_ONCE);
      const last = events.at(-1);
      if (last === undefined) return;
      await this.#wakeFor(events);
      this.#position = { atMs: last.at.getTime(), transaction: last.transaction, id: last.id };
    }
  }

  /** An account's webhook is woken by all whose people it may belong to: what it is sent is decided when it is read. */
  async #wakeFor(events: readonly FeedEvent[]): Promise<void> {
    const sites = distinct(events.map(({ siteId }) => siteId));
    const organizations = distinct(events.map(({ organizationId }) => organizationId));
    const users = distinct(events.map(({ userId }) => userId));
    const now = new Date(this.#clock.now());
    await sql`update webhooks set next_at = ${now}
      where enabled and failing_since is null and next_at > ${now} and (
        organization_id = any(${organizations}::int[])
        or user_id = any(${users}::int[])
        or user_id in (
          select owner_id from sites where id = any(${sites}::int[])
          union all select user_id from site_members where site_id = any(${sites}::int[])
          union all select user_id from organization_members where organization_id in (
            select organization_id from sites where id = any(${sites}::int[])
            union all select organization_id from organization_sites where site_id = any(${sites}::int[]))
          union all select id from users where staff))`.execute(this.#db);
  }
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
