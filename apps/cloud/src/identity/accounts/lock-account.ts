import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/**
 * Locks an account against changes until the transaction ends (FOR SHARE). Each transaction that opens a session or
 * spends a link takes this lock first: so a password change finds every earlier session and link.
 */
export async function lockAccount(tx: Database, userId: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute();
}

/**
 * As `lockAccountForChange`, for a caller that has verified the password.
 *
 * @param passwordHash the hash that the password was verified against
 * @returns false when the account has another hash by now
 */
export async function lockAccountWithPassword(
  tx: Database,
  userId: number,
  passwordHash: string,
): Promise<boolean> {
  const locked = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked !== undefined;
}

/** Locks an account that is about to change (FOR NO KEY UPDATE). @returns undefined when the account is gone */
export function lockAccountForChange(
  tx: Database,
  userId: number,
): Promise<{ readonly confirmedAt: Date | null; readonly hasPassword: boolean } | undefined> {
  return tx
    .selectFrom('users')
    .select(['confirmed_at as confirmedAt', sql<boolean>`password_hash is not null`.as('hasPassword')])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
