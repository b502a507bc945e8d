import type { Client } from 'pg';

/** Tables with a place in the feed: behind the event with this transaction and id. */
const PLACES = [
  { table: 'event_cursors', id: 'id' },
  { table: 'webhooks', id: 'event_id' },
] as const;

/**
 * Makes the feed of events readable after a dump was restored on another server, which counts transactions from another
 * number: events of higher ones would be hidden, and followers with places behind them would wait for years. All numbers
 * are lowered by as much as the highest one needs, so that order and places stay. The oldest, which cannot be lowered so far,
 * become 0: they are in the order of their ids.
 *
 * @param client without a timeout: a feed may have millions of events
 */
export async function adoptRestoredFeed(client: Client): Promise<void> {
  const { rows } = await client.query<{ excess: string }>(`
    select transaction::text::numeric - pg_snapshot_xmin(pg_current_snapshot())::text::numeric + 1 as excess
    from ((select transaction from events order by transaction desc, id desc limit 1)
      union all select transaction from event_cursors
      union all select transaction from webhooks) as known
    where transaction > pg_snapshot_xmax(pg_current_snapshot())
    order by transaction desc limit 1`);
  const [restored] = rows;
  if (restored === undefined) return;
  const { excess } = restored;
  await client.query('begin');
  for (const { table, id } of PLACES)
    await client.query(
      `update ${table} set ${id} = coalesce((select events.id from events
          where (events.transaction, events.id) <= (${table}.transaction, ${table}.${id})
          order by events.transaction desc, events.id desc limit 1), 0)
        where transaction::text::numeric <= $1`,
      [excess],
    );
  for (const table of ['events', 'event_cursors', 'webhooks'])
    await client.query(
      `update ${table} set transaction = greatest(transaction::text::numeric - $1, 0)::text::xid8`,
      [excess],
    );
  await client.query('commit');
}
