import type { Locale } from '@heliograph/contracts';
import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import { sql } from 'kysely';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';

export interface InvitedAccount {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The address is not confirmed, or the account has no password. */
  readonly pending: boolean;
  readonly confirmed: boolean;
  readonly hasPassword: boolean;
}

/** The fields that an invitation sets in an account that was never used. */
export interface InvitedProfile {
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
  /** The organization whose customer it becomes. */
  readonly organizationId: number | null;
}

/** The destination of an invitation; without an organization and a site it is to an account alone. */
export interface LastInvitation {
  readonly organizationId: number | null;
  readonly siteId: number | null;
  readonly invitedBy: number | null;
}

export function findInvited(db: Database, email: string): Promise<InvitedAccount | undefined> {
  return db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'first_name as firstName',
      'last_name as lastName',
      sql<boolean>`confirmed_at is null or password_hash is null`.as('pending'),
      sql<boolean>`confirmed_at is not null`.as('confirmed'),
      sql<boolean>`password_hash is not null`.as('hasPassword'),
    ])
    .where(hasEmail(email))
    .executeTakeFirst();
}

/** As `find`; locks the account against changes until the transaction ends (FOR NO KEY UPDATE). */
export async function lockInvited(tx: Database, email: string): Promise<InvitedAccount | undefined> {
  await tx.selectFrom('users').select('id').where(hasEmail(email)).forNoKeyUpdate().execute();
  // Not in one statement with the lock: that would return the state from before the wait.
  return findInvited(tx, email);
}

/** The language of an invitation to a person without an account: the organization's, else the inviter's. */
export async function invitationLocale(
  db: Database,
  organizationId: number | null,
  inviterId: number,
): Promise<Locale | null> {
  const { rows } = await sql<{ locale: Locale | null }>`select coalesce(
    (select locale from organizations where id = ${organizationId}),
    (select locale from users where id = ${inviterId})) as locale`.execute(db);
  return rows[0]?.locale ?? null;
}

/** Creates an account without a password. @returns its id; undefined when the address has an account by now */
export async function addAccount(
  tx: Database,
  email: CanonicalEmail,
  profile: InvitedProfile,
): Promise<number | undefined> {
  const added = await tx
    .insertInto('users')
    .values({ email, ...columnsOf(profile) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

/**
 * Resets an unconfirmed account to a new one: without a password, and without any choice of the person who registered
 * the address.
 */
export async function resetAccount(tx: Database, userId: number, profile: InvitedProfile): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      ...columnsOf(profile),
      password_hash: null,
      phone_number: null,
      terms_accepted_at: null,
      confirmation_mailed_at: null,
    })
    .where('id', '=', userId)
    .execute();
}

/** The latest invitation of an account: to a team, else to a site, else to the account of a customer. */
export async function lastInvitation(tx: Database, userId: number): Promise<LastInvitation | undefined> {
  const { rows } = await sql<LastInvitation>`
    select "organizationId", "siteId", "invitedBy" from (
      select 1 as rank, organization_id as "organizationId", null::integer as "siteId", invited_by as "invitedBy",
        created_at from employment_invitations where user_id = ${userId}
      union all select 1, organization_id, null, null, created_at from organization_members where user_id = ${userId}
      union all select 2, users.organization_id, invitations.site_id, invited_by, invitations.created_at
        from site_invitations as invitations join users on users.id = user_id where user_id = ${userId}
      union all select 2, users.organization_id, site_members.site_id, null, site_members.created_at
        from site_members join users on users.id = user_id where user_id = ${userId} and not exists (
          select from site_invitations where site_id = site_members.site_id and user_id = ${userId})
      union all select 2, users.organization_id, sites.id, null, sites.created_at
        from sites join users on users.id = owner_id where owner_id = ${userId} and not exists (
          select from site_invitations where site_id = sites.id and user_id = ${userId})
      union all select 3, organization_id, null, null, created_at from users where id = ${userId}) as invitations
    order by rank, created_at desc limit 1`.execute(tx);
  return rows[0];
}

/** @param notSince the latest time of a previous mail @returns false when a mail was sent since */
export async function markInvited(tx: Database, userId: number, at: Date, notSince: Date): Promise<boolean> {
  const marked = await tx
    .updateTable('users')
    .set({ invited_at: at })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('invited_at', 'is', null), eb('invited_at', '<=', notSince)]))
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

function columnsOf({ firstName, lastName, locale, organizationId }: InvitedProfile) {
  return { first_name: firstName, last_name: lastName, locale, organization_id: organizationId };
}
