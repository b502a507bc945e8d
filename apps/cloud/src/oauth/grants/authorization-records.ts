import type { ServerPlatform } from '../../platform.ts';
import { openContent, recordHash, sealContent } from './record-contents.ts';
import type { AuthorizationRecord, NewAuthorizationRecord } from './records.ts';

/**
 * Stores a code, an interaction or a browser session of the OAuth server. Their ids are secrets and their contents may be:
 * ids are stored as digests, contents sealed.
 */
export async function saveRecord(
  { db, config, clock }: ServerPlatform,
  { model, id, uid, grantId, payload, lifetimeS }: NewAuthorizationRecord,
): Promise<void> {
  const content = {
    sealed: sealContent(config.secret, payload),
    uid_hash: uid === undefined ? null : recordHash(uid),
    grant_id: grantId ?? null,
    expires_at: new Date(clock.now() + lifetimeS * 1000),
  };
  await db
    .insertInto('oauth_records')
    .values({ model, hash: recordHash(id), ...content })
    .onConflict((conflict) => conflict.columns(['model', 'hash']).doUpdateSet(content))
    .execute();
}

export function findRecord(
  platform: ServerPlatform,
  model: string,
  id: string,
): Promise<AuthorizationRecord | undefined> {
  return find(platform, model, 'hash', id);
}

export function findRecordByUid(
  platform: ServerPlatform,
  model: string,
  uid: string,
): Promise<AuthorizationRecord | undefined> {
  return find(platform, model, 'uid_hash', uid);
}

/** @returns false for an unknown or consumed record; of concurrent callers one gets true */
export async function consumeRecord(
  { db, clock }: ServerPlatform,
  model: string,
  id: string,
): Promise<boolean> {
  const consumed = await db
    .updateTable('oauth_records')
    .set({ consumed_at: new Date(clock.now()) })
    .where('model', '=', model)
    .where('hash', '=', recordHash(id))
    .where('consumed_at', 'is', null)
    .returning('model')
    .executeTakeFirst();
  return consumed !== undefined;
}

export async function removeRecord({ db }: ServerPlatform, model: string, id: string): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('model', '=', model)
    .where('hash', '=', recordHash(id))
    .execute();
}

async function find(
  { db, config, clock }: ServerPlatform,
  model: string,
  column: 'hash' | 'uid_hash',
  id: string,
): Promise<AuthorizationRecord | undefined> {
  const record = await db
    .selectFrom('oauth_records')
    .select(['sealed', 'consumed_at'])
    .where('model', '=', model)
    .where(column, '=', recordHash(id))
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  if (record === undefined) return undefined;
  return { payload: openContent(config.secret, record.sealed), consumedAt: record.consumed_at };
}
