import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/**
 * Keeps an account from being changed by others until the transaction ends. Whoever opens a session or spends a
 * link comes through here first: then a changed password finds every session and link of before.
 */
export async function lockAccount(tx: Database, userId: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute();
}

/**
 * As `holdAccountToChange`, for somebody who knew the password.
 *
 * @param passwordHash what the password was compared with
 * @returns whether it still is the account's
 */
export async function lockAccountWithPassword(
  tx: Database,
  userId: number,
  passwordHash: string,
): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return held !== undefined;
}

/** As `holdAccount`, by whoever is going to change the account. @returns undefined when the account is gone */
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
