import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Work } from '../../delivery/due-work.ts';
import { EventFollower, type FeedEvent } from '../events/service.ts';
import { WebhookSender, type WebhookSenderOptions } from './sender.ts';

/** Finds the webhooks that have something to send, and sends it. */
export function webhookWorks(options: WebhookSenderOptions): Work[] {
  const { db, clock } = options;
  return [
    new EventFollower({
      ...{ db, name: 'events for webhooks' },
      take: (tx, events) => wakeWebhooks(tx, events, new Date(clock.now())),
    }),
    new WebhookSender(options),
  ];
}

/**
 * Makes the webhooks due that events may be for, so that the others cost nothing. An account's webhook is woken by all
 * whose people it may belong to: what it is sent is decided when it is read. One whose receiver fails waits for its retry.
 */
export async function wakeWebhooks(tx: Database, events: readonly FeedEvent[], now: Date): Promise<void> {
  const sites = distinct(events.map(({ siteId }) => siteId));
  const organizations = distinct(events.map(({ organizationId }) => organizationId));
  const users = distinct(events.map(({ userId }) => userId));
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
        union all select id from users where staff))`.execute(tx);
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
