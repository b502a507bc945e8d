import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import { type Expression, sql } from 'kysely';
import { hasOrganizationAccess, isSecondFactorRequired } from '../../access/organization-access.ts';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';
import { USER_COLUMNS, type UserRecord } from '../users/present.ts';

/** An account as sign-in reads it. */
export interface AccountRecord extends UserRecord {
  readonly passwordHash: string | null;
  readonly confirmedAt: Date | null;
  readonly confirmationMailedAt: Date | null;
  /** The organization whose customer it is. */
  readonly organizationId: number | null;
  /** The account may hold a session of the requested organization. */
  readonly hasOrganizationAccess: boolean;
  readonly hasSecondFactor: boolean;
  /** A session of the requested organization requires one. */
  readonly isSecondFactorRequired: boolean;
  /** The last sign-in from the client's network. */
  readonly lastSeenFromNetworkAt: Date | null;
}

/** A request for a session, apart from the account. */
export interface SignInContext {
  /** The organization that the session is to belong to. */
  readonly organizationId: number | null;
  /** The client's network. */
  readonly network: string | null;
}

export interface NewAccount {
  readonly email: CanonicalEmail;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly locale: UserRecord['locale'] | undefined;
  readonly passwordHash: string;
  readonly organizationId: number | null;
  readonly staff?: boolean;
  readonly confirmedAt?: Date;
  readonly termsAcceptedAt?: Date | null;
  readonly confirmationMailedAt?: Date;
}

/** Terms that a password of the account must not be made of. */
export function personalTermsOf({
  email,
  firstName,
  lastName,
}: Pick<UserRecord, 'email' | 'firstName' | 'lastName'>) {
  return [email, firstName, lastName];
}

export function accountByEmail(
  db: Database,
  email: string,
  context: SignInContext,
): Promise<AccountRecord | undefined> {
  return selectAccount(db, context).where(hasEmail(email)).executeTakeFirst();
}

export function accountById(
  db: Database,
  id: number,
  context: SignInContext,
): Promise<AccountRecord | undefined> {
  return selectAccount(db, context).where('users.id', '=', id).executeTakeFirst();
}

function selectAccount(db: Database, { organizationId, network }: SignInContext) {
  return db
    .selectFrom('users')
    .select((eb) => [
      ...USER_COLUMNS,
      'users.password_hash as passwordHash',
      'users.confirmed_at as confirmedAt',
      'users.confirmation_mailed_at as confirmationMailedAt',
      'users.organization_id as organizationId',
      sql<boolean>`${organizationId === null ? sql`true` : hasOrganizationAccess(organizationId)(eb)}`.as(
        'hasOrganizationAccess',
      ),
      sql<boolean>`users.second_factor_at is not null`.as('hasSecondFactor'),
      sql<boolean>`${isSecondFactorRequired(organizationId)(eb)}`.as('isSecondFactorRequired'),
      eb
        .selectFrom('known_addresses')
        .select('known_addresses.seen_at')
        .whereRef('known_addresses.user_id', '=', 'users.id')
        .where('known_addresses.address', '=', inet(network))
        .as('lastSeenFromNetworkAt'),
    ]);
}

export async function hasAccount(db: Database, email: string): Promise<boolean> {
  const found = await db.selectFrom('users').select('id').where(hasEmail(email)).executeTakeFirst();
  return found !== undefined;
}

/** @returns the id; undefined when the email address has an account */
export async function addAccount(tx: Database, account: NewAccount): Promise<number | undefined> {
  const added = await tx
    .insertInto('users')
    .values({
      email: account.email,
      first_name: account.firstName,
      last_name: account.lastName,
      phone_number: account.phoneNumber,
      ...(account.locale !== undefined && { locale: account.locale }),
      password_hash: account.passwordHash,
      organization_id: account.organizationId,
      staff: account.staff ?? false,
      confirmed_at: account.confirmedAt ?? null,
      terms_accepted_at: account.termsAcceptedAt ?? null,
      confirmation_mailed_at: account.confirmationMailedAt ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

export async function confirmAccount(tx: Database, userId: number, at: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ confirmed_at: sql`coalesce(confirmed_at, ${at})` })
    .where('id', '=', userId)
    .execute();
}

/**
 * Confirms the address, too: passwords are set through mailed links, or by operators. A requested change of the address
 * ends: a thief of the password may have asked for it.
 */
export async function setAccountPassword(
  tx: Database,
  userId: number,
  { passwordHash, acceptedTerms, at }: { passwordHash: string; acceptedTerms: boolean; at: Date },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      confirmed_at: sql`coalesce(confirmed_at, ${at})`,
      ...(acceptedTerms && { terms_accepted_at: at }),
    })
    .where('id', '=', userId)
    .execute();
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).execute();
}

/** @param notSince the latest time of a previous mail @returns false when a mail was sent since */
export async function markConfirmationMailed(
  tx: Database,
  userId: number,
  at: Date,
  notSince: Date,
): Promise<boolean> {
  const marked = await tx
    .updateTable('users')
    .set({ confirmation_mailed_at: at })
    .where('id', '=', userId)
    .where((eb) =>
      eb.or([eb('confirmation_mailed_at', 'is', null), eb('confirmation_mailed_at', '<=', notSince)]),
    )
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

function inet(network: string | null): Expression<string> {
  return sql<string>`${network}::inet`;
}
