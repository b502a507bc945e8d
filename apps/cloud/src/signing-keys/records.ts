import { sql } from 'kysely';
import type { Database } from '../db/open.ts';
import type { KeyPurpose, KeyTimes } from './schedule.ts';

export interface SealedKey extends KeyTimes {
  readonly purpose: KeyPurpose;
  readonly sealed: Buffer;
}

export function selectKeys(db: Database, purpose: KeyPurpose): Promise<SealedKey[]> {
  return db
    .selectFrom('signing_keys')
    .select([
      'kid',
      'purpose',
      'sealed_private_key as sealed',
      'created_at as createdAt',
      'signs_from as signsFrom',
    ])
    .where('purpose', '=', purpose)
    .execute();
}

/** Runs work under a lock of the whole table. */
export function withLockedKeys<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
    return work(tx);
  });
}
