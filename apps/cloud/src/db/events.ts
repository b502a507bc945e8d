import type { EventType } from '@heliograph/contracts';
import type { Database } from './open.ts';

export interface NewEvent {
  readonly type: EventType;
  readonly at: Date;
  readonly siteId?: number | null | undefined;
  /** The organization that looks after the site, or that it happened in. */
  readonly organizationId?: number | null | undefined;
  /** The account that it is about. */
  readonly userId?: number | null | undefined;
  /** Shown to readers of the feed; never a secret, nor a name of a person. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const BATCH_SIZE = 1_000;

/** Adds events to the feed. Called with the transaction of what happened, so that both are stored or neither. */
export async function appendEvents(tx: Database, events: readonly NewEvent[]): Promise<void> {
  for (let first = 0; first < events.length; first += BATCH_SIZE) {
    const rows = events.slice(first, first + BATCH_SIZE).map((event) => ({
      at: event.at,
      type: event.type,
      site_id: event.siteId ?? null,
      organization_id: event.organizationId ?? null,
      user_id: event.userId ?? null,
      data: JSON.stringify(event.data),
    }));
    await tx.insertInto('events').values(rows).execute();
  }
}
