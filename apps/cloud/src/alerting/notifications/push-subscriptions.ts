import type { PushSubscriptionSummary } from '@heliograph/contracts';
import { NotFound, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { Unavailable } from '../../common/errors.ts';
import { addDelegation } from '../../db/delegations.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { browserLabel } from './browser-label.ts';
import { type NotificationPlatform, recordChange, requireHostName } from './settings.ts';
import { isPoint } from './web-push.ts';

/** Browsers of an account; the oldest one goes when there are more. */
const MAX_SUBSCRIPTIONS = 20;

/** When a browser may ask again for push keys that this process cannot read, in seconds. */
const PUSH_KEYS_RETRY_S = 600;

/** @throws Unavailable where this process cannot read the keys */
export async function getPushKey({ notificationSecrets }: NotificationPlatform): Promise<{ key: string }> {
  const keys = await notificationSecrets.pushKeys();
  if (keys === undefined)
    throw new Unavailable('The keys of push messages cannot be read', PUSH_KEYS_RETRY_S);
  return { key: keys.publicKey.toString('base64url') };
}

export async function listPushSubscriptions(
  { db }: Platform,
  { userId }: Caller,
): Promise<PushSubscriptionSummary[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'label', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, label, createdAt }) => ({ id, label, created_at: createdAt.toISOString() }));
}

/** @throws ValidationError */
export async function addPushSubscription(
  { db, mail, clock }: Platform,
  caller: Caller,
  { body: { endpoint, keys } }: InputOf<'addPushSubscription'>,
  userAgent: string | undefined,
): Promise<PushSubscriptionSummary> {
  const { userId } = caller;
  const p256dh = Buffer.from(keys.p256dh, 'base64url');
  if (!isPoint(p256dh)) throw new ValidationError({ keys: ['have no point of the curve P-256'] });
  requireHostName('endpoint', endpoint);
  const row = {
    user_id: userId,
    p256dh,
    auth: Buffer.from(keys.auth, 'base64url'),
    label: browserLabel(userAgent ?? ''),
    created_at: new Date(clock.now()),
  };
  const id = await db.transaction().execute(async (tx) => {
    const former = await tx
      .selectFrom('push_subscriptions')
      .select(['user_id as userId', 'label as name'])
      .where('endpoint', '=', endpoint)
      .where('user_id', '<>', userId)
      .forUpdate()
      .executeTakeFirst();
    const stored = await tx
      .insertInto('push_subscriptions')
      .values({ endpoint, ...row })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`delete from push_subscriptions where user_id = ${userId} and id in (
      select id from push_subscriptions where user_id = ${userId} order by id desc offset ${MAX_SUBSCRIPTIONS})
    `.execute(tx);
    // A browser that changes hands goes on to work, and the account that loses it learns of it.
    if (former !== undefined) {
      const about = { at: row.created_at.toISOString(), address: null };
      await mail.enqueue(tx, { kind: 'pushMoved', organizationId: null, ...former, ...about });
    }
    const made = { kind: 'push', pushSubscriptionId: stored.id, userId } as const;
    await addDelegation(tx, actorOf(caller), made, row.created_at);
    await recordChange(tx, caller, ['push'], clock);
    return stored.id;
  });
  return { id, label: row.label, created_at: row.created_at.toISOString() };
}

/** @throws NotFound */
export async function removePushSubscription(
  { db }: Platform,
  { userId }: Caller,
  { params: { id } }: InputOf<'removePushSubscription'>,
): Promise<void> {
  const removed = await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (removed === undefined) throw new NotFound(`There is no push subscription ${id}`);
}
