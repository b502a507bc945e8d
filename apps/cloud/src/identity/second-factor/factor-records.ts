import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

export interface AuthenticatorAppRecord {
  readonly sealed: Buffer;
  /** The session or pending sign-in that received the secret. */
  readonly startedBy: string | null;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export function selectApp(db: Database, userId: number): Promise<AuthenticatorAppRecord | undefined> {
  return db
    .selectFrom('authenticator_apps')
    .select([
      'sealed',
      'started_by as startedBy',
      'created_at as createdAt',
      'confirmed_at as confirmedAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores an unconfirmed secret in place of another one. @returns false when the account has a confirmed app */
export async function setUnconfirmedApp(
  tx: Database,
  userId: number,
  { sealed, startedBy }: Pick<AuthenticatorAppRecord, 'sealed' | 'startedBy'>,
  at: Date,
): Promise<boolean> {
  const set = await tx
    .insertInto('authenticator_apps')
    .values({ user_id: userId, sealed, started_by: startedBy, created_at: at })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed, started_by: startedBy, created_at: at, last_step: null })
        .where('authenticator_apps.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return set !== undefined;
}

export async function confirmApp(tx: Database, userId: number, step: number, at: Date): Promise<void> {
  await tx
    .updateTable('authenticator_apps')
    .set({ confirmed_at: at, last_step: step, last_used_at: at })
    .where('user_id', '=', userId)
    .execute();
}

/** Spends a time step; of concurrent callers one succeeds. @returns false unless it is later than the last one */
export async function spendStep(db: Database, userId: number, step: number, at: Date): Promise<boolean> {
  const spent = await db
    .updateTable('authenticator_apps')
    .set({ last_step: step, last_used_at: at })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where(sql<boolean>`coalesce(last_step, -1) < ${step}`)
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}

/** @returns whether a confirmed app was removed */
export async function deleteApp(tx: Database, userId: number): Promise<boolean> {
  const removed = await tx
    .deleteFrom('authenticator_apps')
    .where('user_id', '=', userId)
    .returning('confirmed_at as confirmedAt')
    .executeTakeFirst();
  return removed !== undefined && removed.confirmedAt !== null;
}

export async function recoveryCodesLeft(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Of concurrent callers exactly one spends a code. */
export async function spendRecoveryCode(
  tx: Database,
  userId: number,
  hashes: readonly Buffer[],
  at: Date,
): Promise<boolean> {
  const spent = await tx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('user_id', '=', userId)
    .where('hash', 'in', hashes)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}

export async function storeRecoveryCodes(
  tx: Database,
  userId: number,
  hashes: readonly Buffer[],
  at: Date,
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ user_id: userId, hash, created_at: at }));
  await tx.insertInto('recovery_codes').values(rows).execute();
}

/** Locks the account for a change. @returns undefined when it is gone */
export function lockFactors(tx: Database, userId: number) {
  return tx
    .selectFrom('users')
    .select([
      'email',
      'first_name as firstName',
      'last_name as lastName',
      'second_factor_at as secondFactorAt',
    ])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function setSecondFactorAt(tx: Database, userId: number, at: Date | null): Promise<void> {
  await tx.updateTable('users').set({ second_factor_at: at }).where('id', '=', userId).execute();
}

/**
 * Clears the fresh sign-in of sessions that were opened without a second factor.
 *
 * @param exceptTokenId the session that has just added one
 */
export async function clearFreshSignIns(
  tx: Database,
  userId: number,
  exceptTokenId: number | null,
): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ authenticated_at: null })
    .where('user_id', '=', userId)
    .where('kind', '=', 'session')
    .where('authenticated_at', 'is not', null)
    .where((eb) => eb('id', 'is distinct from', exceptTokenId))
    .execute();
  await tx
    .updateTable('one_time_tokens')
    .set({ authenticated_at: null })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'session')
    .where('spent_at', 'is', null)
    .execute();
}

/** Names of organizations that the account works for and that require a second factor. */
export async function organizationsRequiringFactor(db: Database, userId: number): Promise<string[]> {
  const organizations = await db
    .selectFrom('organizations')
    .innerJoin('organization_members as employees', 'employees.organization_id', 'organizations.id')
    .select('organizations.name')
    .where('employees.user_id', '=', userId)
    .where('organizations.requires_second_factor', '=', true)
    .orderBy(sql`organizations.name collate natural_order`)
    .execute();
  return organizations.map(({ name }) => name);
}

/** Completes a pending sign-in, whose token then opens a session. @returns whether it was pending */
export async function finishByEnrolment(tx: Database, hash: Buffer, at: Date): Promise<boolean> {
  const finished = await tx
    .updateTable('one_time_tokens')
    .set({ factor: 'enrolment' })
    .where('hash', '=', hash)
    .where('purpose', '=', 'second_factor')
    .where('factor', 'is', null)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('user_id')
    .executeTakeFirst();
  return finished !== undefined;
}
