import type { Client } from 'pg';

/**
 * Makes the feed of events readable after a dump was restored on another server, which counts transactions from another
 * number: events of higher ones would be hidden, and followers with places behind them would wait for years. Restored events
 * keep their order by id, and stand before all later ones; each place stays behind the same event.
 *
 * @param client without a timeout: a feed may have millions of events
 */
export async function adoptRestoredFeed(client: Client): Promise<void> {
  const { rows } = await client.query<{ restored: boolean }>(`
    select exists (select from (
      (select transaction from events order by transaction desc, id desc limit 1)
      union all select transaction from event_cursors
    ) as known where transaction > pg_snapshot_xmax(pg_current_snapshot())) as restored`);
  if (!rows[0]?.restored) return;
  await client.query('begin');
  for (const table of ['events', 'event_cursors', 'webhooks'])
    await client.query(`update ${table} set transaction = '0'`);
  await client.query('commit');
}
