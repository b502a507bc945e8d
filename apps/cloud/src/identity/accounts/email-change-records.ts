import { type CanonicalEmail, canonicalEmail } from '@heliograph/contracts/email-address';
import { ValidationError } from '@heliograph/kit';
import { MAILED_TOKENS, spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';

export interface PendingEmail {
  readonly email: string;
  readonly expiresAt: Date;
}

/** @returns undefined also when its link has expired */
export function pendingEmail(db: Database, userId: number, now: Date): Promise<PendingEmail | undefined> {
  return db
    .selectFrom('email_changes')
    .select(['email', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Puts a request in place of an earlier one, whose link ends. */
export async function replacePendingEmail(
  tx: Database,
  userId: number,
  { email, expiresAt: expires_at }: PendingEmail,
  nowMs: number,
): Promise<void> {
  await spendTokensOf(tx, userId, ['email_change'], nowMs);
  await tx
    .insertInto('email_changes')
    .values({ user_id: userId, email, expires_at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ email, expires_at }))
    .execute();
}

/** Removes a request, whose link ends. @returns undefined when there is none, or it has expired */
export async function removePendingEmail(
  tx: Database,
  userId: number,
  nowMs: number,
): Promise<string | undefined> {
  await spendTokensOf(tx, userId, ['email_change'], nowMs);
  const removed = await tx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .returning(['email', 'expires_at as expiresAt'])
    .executeTakeFirst();
  return removed !== undefined && removed.expiresAt.getTime() > nowMs ? removed.email : undefined;
}

/**
 * Puts an address in force. A request for another one ends, and so do all links that were mailed before: the former
 * address may be another person's by now.
 *
 * @returns the former address
 * @throws ValidationError when another account has the address
 */
export async function setAccountEmail(
  tx: Database,
  userId: number,
  email: CanonicalEmail,
  nowMs: number,
): Promise<string> {
  const { former } = await tx
    .selectFrom('users')
    .select('email as former')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const isOwn = canonicalEmail(former) === email;
  if (isOwn ? await hasOther(tx, userId, email) : !(await reserveEmail(tx, email)))
    throw new ValidationError({ email: ['has already been taken'] });
  await tx.updateTable('users').set({ email }).where('id', '=', userId).execute();
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).execute();
  await spendTokensOf(tx, userId, MAILED_TOKENS, nowMs);
  return former;
}

/** Whether another account has the canonical form of an account's own address. */
async function hasOther(tx: Database, userId: number, email: CanonicalEmail): Promise<boolean> {
  const others = tx.selectFrom('users').select('id').where('email', '=', email).where('id', '<>', userId);
  return (await others.executeTakeFirst()) !== undefined;
}

/**
 * Reserves an address until the transaction ends, by an account that exists for a moment. PostgreSQL logs every violation
 * of a unique index with the address; an insert can avoid it, also beside others at the same moment, and no update can.
 *
 * @returns false when an account has it
 */
async function reserveEmail(tx: Database, email: CanonicalEmail): Promise<boolean> {
  const reserved = await tx
    .insertInto('users')
    .values({ email })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (reserved === undefined) return false;
  await tx.deleteFrom('users').where('id', '=', reserved.id).execute();
  return true;
}
