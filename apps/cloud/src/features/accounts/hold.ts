import type { Database } from '../../db/open.ts';

/**
 * Keeps an account from being changed by others until the transaction ends. Whoever opens a session or spends a
 * link comes through here first: then a changed password finds every session that the old one opened.
 *
 * @param passwordHash what the hash has to be still
 * @returns false when it is not, or the account is gone
 */
export async function holdAccount(
  tx: Database,
  userId: number,
  passwordHash?: string | null,
): Promise<boolean> {
  const held = await tx
    .selectFrom('users')
    .select('password_hash as passwordHash')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
  return held !== undefined && (passwordHash === undefined || held.passwordHash === passwordHash);
}

/** As `holdAccount`, by whoever is going to change the account. @returns undefined when the account is gone */
export function holdAccountToChange(
  tx: Database,
  userId: number,
): Promise<{ readonly confirmedAt: Date | null } | undefined> {
  return tx
    .selectFrom('users')
    .select('confirmed_at as confirmedAt')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
