import type { MessageRecipient, NotificationRecord } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { requireOrganizationManager } from '../../organizations/organizations/roles.ts';
import type { Platform } from '../../platform.ts';
import { messageRecipients } from './recipients.ts';
import { channelsOf, type NotificationPlatform, storedSettings } from './settings.ts';

const TESTS_PER_ACCOUNT: RateRule = { name: 'notification-tests', points: 20, durationS: 60 * 60 };

/** @throws NotFound; Forbidden */
export async function listMessageRecipients(
  { db }: Platform,
  caller: Caller,
  { params: { id } }: InputOf<'listMessageRecipients'>,
): Promise<MessageRecipient[]> {
  await requireOrganizationManager(db, caller, id);
  return messageRecipients(db, id, caller.locale);
}

export async function listNotifications(
  { db }: Platform,
  { userId }: Caller,
  { query }: InputOf<'listNotifications'>,
): Promise<NotificationRecord[]> {
  const { limit } = pageFrom(query);
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('alerts', 'alerts.id', 'notifications.alert_id')
    .select([
      'notifications.id',
      'channel',
      'notifications.kind',
      'state',
      sql<number | null>`coalesce(alerts.site_id, notifications.site_id)`.as('siteId'),
      'notifications.alert_id as alertId',
      'notifications.further_alerts as furtherAlerts',
      'created_at as createdAt',
      'due_at as dueAt',
      'sent_at as sentAt',
      'failure',
    ])
    .where('user_id', '=', userId)
    .orderBy('notifications.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(
    ({ id, channel, kind, state, siteId, alertId, furtherAlerts, createdAt, dueAt, sentAt, failure }) => ({
      id: Number(id),
      ...{ channel, kind, state, failure },
      site_id: siteId,
      alert_id: alertId === null ? null : Number(alertId),
      further_alerts: furtherAlerts,
      created_at: createdAt.toISOString(),
      due_at: dueAt.toISOString(),
      sent_at: sentAt?.toISOString() ?? null,
    }),
  );
}

/** Sends a message by one channel. @throws Unprocessable where it is not set up; TooManyRequests */
export async function testNotifications(
  { db, limits, clock, notificationSecrets }: NotificationPlatform,
  { userId }: Caller,
  { body: { channel } }: InputOf<'testNotifications'>,
): Promise<void> {
  await limits.consume(TESTS_PER_ACCOUNT, String(userId));
  const now = new Date(clock.now());
  const channels = channelsOf(notificationSecrets, await storedSettings(db, userId));
  const isSetUp = channel === 'mail' || (channel !== 'push' && channels[channel] !== undefined);
  const subscriptions =
    channel === 'push'
      ? await db.selectFrom('push_subscriptions').select('id').where('user_id', '=', userId).execute()
      : isSetUp
        ? [{ id: null }]
        : [];
  if (subscriptions.length === 0) throw new Unprocessable('This channel is not set up');
  await db
    .insertInto('notifications')
    .values(
      subscriptions.map(({ id }) => ({
        user_id: userId,
        channel,
        push_subscription_id: id,
        kind: 'test' as const,
        ...{ alert_id: null, outage_id: null, state: 'waiting' as const, sent_at: null, failure: null },
        due_at: now,
        created_at: now,
      })),
    )
    .execute();
}
