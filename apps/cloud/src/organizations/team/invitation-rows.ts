import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { Employment } from './employee-rows.ts';

/** An invitation as the organization sees it, with only the email address of the account. */
export interface PendingEmployee {
  readonly id: number;
  readonly email: string;
  /** As the inviter gave them. */
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
  readonly expiresAt: Date;
}

export interface ReceivedInvitation {
  readonly organizationId: number;
  readonly organizationName: string;
  /** Null without a logo. */
  readonly logoDigest: string | null;
  readonly role: SiteRole;
  readonly inviterName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface NewInvitation extends Employment {
  readonly role: SiteRole;
  readonly firstName: string;
  readonly lastName: string;
  readonly invitedBy: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Not expired, the newest first. */
export function pendingOf(db: Database, organizationId: number, now: Date): Promise<PendingEmployee[]> {
  return selectPending(db, now)
    .where('invitations.organization_id', '=', organizationId)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('users.id')
    .execute();
}

export function findPending(
  db: Database,
  { organizationId, userId }: Employment,
  now: Date,
): Promise<PendingEmployee | undefined> {
  return selectPending(db, now)
    .where('invitations.organization_id', '=', organizationId)
    .where('invitations.user_id', '=', userId)
    .executeTakeFirst();
}

/** Those of the caller's account; with a token of an organization only that organization's. */
export function receivedInvitations(
  db: Database,
  { userId, organizationId }: Caller,
  now: Date,
): Promise<ReceivedInvitation[]> {
  return db
    .selectFrom('employment_invitations as invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('organization_logos as logos', 'logos.organization_id', 'organizations.id')
    .leftJoin('users as inviters', 'inviters.id', 'invitations.invited_by')
    .select([
      'organizations.id as organizationId',
      'organizations.name as organizationName',
      'logos.digest as logoDigest',
      'invitations.role',
      sql<string | null>`nullif(trim(inviters.first_name || ' ' || inviters.last_name), '')`.as(
        'inviterName',
      ),
      'invitations.created_at as createdAt',
      'invitations.expires_at as expiresAt',
    ])
    .where('invitations.user_id', '=', userId)
    .where('invitations.expires_at', '>', now)
    .$if(organizationId !== null, (query) => query.where('organizations.id', '=', organizationId ?? 0))
    .orderBy('invitations.created_at', 'desc')
    .orderBy('organizations.id')
    .execute();
}

/** Creates an invitation, or renews the existing one. */
export async function storeInvitation(tx: Database, invitation: NewInvitation): Promise<void> {
  const state = {
    role: invitation.role,
    first_name: invitation.firstName,
    last_name: invitation.lastName,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
  await tx
    .insertInto('employment_invitations')
    .values({ organization_id: invitation.organizationId, user_id: invitation.userId, ...state })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(state))
    .execute();
}

export async function setPendingRole(
  tx: Database,
  { organizationId, userId }: Employment,
  role: SiteRole,
): Promise<void> {
  await tx
    .updateTable('employment_invitations')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

/** Deletes an invitation; exactly one of several concurrent callers gets it. @returns its role unless it expired */
export async function takeInvitation(
  tx: Database,
  { organizationId, userId }: Employment,
  now: Date,
): Promise<SiteRole | undefined> {
  const taken = await tx
    .deleteFrom('employment_invitations')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .returning('role')
    .executeTakeFirst();
  return taken?.role;
}

/** Stores the date of a mail about the invitation. @returns false, without a change, when one was sent after `notSince` */
export async function markMailed(
  tx: Database,
  { organizationId, userId }: Employment,
  at: Date,
  notSince: Date,
): Promise<boolean> {
  const marked = await tx
    .updateTable('employment_invitations')
    .set({ mailed_at: at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('mailed_at', 'is', null), eb('mailed_at', '<=', notSince)]))
    .returning('user_id')
    .executeTakeFirst();
  return marked !== undefined;
}

function selectPending(db: Database, now: Date) {
  return db
    .selectFrom('employment_invitations as invitations')
    .innerJoin('users', 'users.id', 'invitations.user_id')
    .select([
      'users.id',
      'users.email',
      'invitations.first_name as firstName',
      'invitations.last_name as lastName',
      'invitations.role',
      'invitations.expires_at as expiresAt',
    ])
    .where('invitations.expires_at', '>', now);
}
