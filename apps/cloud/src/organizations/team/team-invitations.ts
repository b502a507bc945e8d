import type { AuditAction, SiteRole, TeamInvitation } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { actorOf, type Caller, requireSession } from '../../access/caller.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { lockOrganization } from '../organizations/rows.ts';
import { type Employment, setRole } from './employee-rows.ts';
import {
  findPending,
  markMailed,
  type PendingEmployee,
  pendingOf,
  receivedInvitations,
  setPendingRole,
  storeInvitation,
  takeInvitation,
} from './invitation-rows.ts';
import { presentReceivedInvitation } from './present.ts';

const INVITATION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

/** Shortest time between two mails about one invitation. */
const MAIL_GAP_MS = 5 * 60 * 1000;

/** An account that an organization invites to its team. */
export interface TeamInvitee extends Employment {
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
  /** Whether to send a mail: accounts without a password get another one, with a link of their own. */
  readonly mailAllowed: boolean;
}

/** Invitations of the caller's account, the newest first. @throws Forbidden unless it is a session */
export async function listTeamInvitations(platform: Platform, caller: Caller): Promise<TeamInvitation[]> {
  requireSession(caller);
  const found = await receivedInvitations(platform.db, caller, now(platform));
  return found.map((invitation) => presentReceivedInvitation(invitation, platform.cloudUrl()));
}

/** Makes the caller an employee. @throws Forbidden unless it is a session; NotFound without an invitation */
export function acceptTeamInvitation(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'acceptTeamInvitation'>,
): Promise<void> {
  return respond(platform, caller, params.organization_id, async (tx, employment) => {
    const isAccepted = await employ(platform, tx, actorOf(caller), employment);
    if (!isAccepted) throw new NotFound();
  });
}

/** @throws Forbidden unless it is a session; NotFound without an invitation */
export function declineTeamInvitation(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'declineTeamInvitation'>,
): Promise<void> {
  return respond(platform, caller, params.organization_id, async (tx, employment) => {
    const role = await takeInvitation(tx, employment, now(platform));
    if (role === undefined) throw new NotFound();
    const details = { from: role, to: null };
    await record(
      platform,
      tx,
      actorOf(caller),
      'organization_member.invitation_declined',
      employment,
      details,
    );
  });
}

export async function isInvited(platform: Platform, employment: Employment): Promise<boolean> {
  return (await findPending(platform.db, employment, now(platform))) !== undefined;
}

/**
 * Accepts for the account that sets its first password with the link of the invitation's mail. Locks the
 * organization, so it is called before the account is locked.
 *
 * @returns false when the invitation has expired or was withdrawn
 */
export async function acceptByLink(
  platform: Platform,
  tx: Database,
  actor: Actor,
  employment: Employment,
): Promise<boolean> {
  await lockOrganization(tx, employment.organizationId);
  return employ(platform, tx, actor, employment);
}

export function pendingEmployees(platform: Platform, organizationId: number): Promise<PendingEmployee[]> {
  return pendingOf(platform.db, organizationId, now(platform));
}

export function findInvitation(
  platform: Platform,
  tx: Database,
  employment: Employment,
): Promise<PendingEmployee | undefined> {
  return findPending(tx, employment, now(platform));
}

/** Invites, or renews an invitation. Part of a transaction that has the organization locked. */
export async function storeTeamInvitation(
  platform: Platform,
  tx: Database,
  caller: Caller,
  invitee: TeamInvitee,
): Promise<PendingEmployee> {
  const before = await findInvitation(platform, tx, invitee);
  const createdAt = now(platform);
  const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
  const invitedBy = caller.userId || null;
  await storeInvitation(tx, {
    ...invitee,
    // A renewed invitation without names has those of the one before.
    firstName: invitee.firstName || (before?.firstName ?? ''),
    lastName: invitee.lastName || (before?.lastName ?? ''),
    invitedBy,
    createdAt,
    expiresAt,
  });
  if (before?.role !== invitee.role) {
    const details = { from: before?.role ?? null, to: invitee.role };
    await record(platform, tx, actorOf(caller), 'organization_member.invited', invitee, details);
  }
  if (invitee.mailAllowed) await mailInvitation(platform, tx, invitee, invitedBy);
  const pending = await findInvitation(platform, tx, invitee);
  if (pending === undefined) throw new Error('An invitation that was just made is there');
  return pending;
}

export async function changeInvitation(
  platform: Platform,
  tx: Database,
  caller: Caller,
  employment: Employment,
  role: SiteRole,
): Promise<void> {
  const before = await findInvitation(platform, tx, employment);
  if (before === undefined || before.role === role) return;
  await setPendingRole(tx, employment, role);
  const details = { from: before.role, to: role };
  await record(platform, tx, actorOf(caller), 'organization_member.invited', employment, details);
}

/** @returns whether there was an invitation */
export async function withdrawInvitation(
  platform: Platform,
  tx: Database,
  caller: Caller,
  employment: Employment,
): Promise<boolean> {
  const role = await takeInvitation(tx, employment, now(platform));
  if (role === undefined) return false;
  const details = { from: role, to: null };
  await record(
    platform,
    tx,
    actorOf(caller),
    'organization_member.invitation_withdrawn',
    employment,
    details,
  );
  return true;
}

/** Deletes the invitation of an account that became an employee otherwise, without a record of its own. */
export async function discardInvitation(
  platform: Platform,
  tx: Database,
  employment: Employment,
): Promise<void> {
  await takeInvitation(tx, employment, now(platform));
}

function respond(
  platform: Platform,
  caller: Caller,
  organizationId: number,
  work: (tx: Database, employment: Employment) => Promise<void>,
): Promise<void> {
  requireSession(caller);
  // With a token of another organization the invitation does not exist.
  if (caller.organizationId !== null && caller.organizationId !== organizationId) throw new NotFound();
  return platform.db.transaction().execute(async (tx) => {
    await lockOrganization(tx, organizationId);
    await work(tx, { organizationId, userId: caller.userId });
  });
}

async function employ(
  platform: Platform,
  tx: Database,
  actor: Actor,
  employment: Employment,
): Promise<boolean> {
  const at = now(platform);
  const role = await takeInvitation(tx, employment, at);
  if (role === undefined) return false;
  await setRole(tx, employment, role, at);
  const details = { from: null, to: role, accepted: true };
  await record(platform, tx, actor, 'organization_member.added', employment, details);
  return true;
}

async function mailInvitation(
  platform: Platform,
  tx: Database,
  { organizationId, userId }: Employment,
  invitedBy: number | null,
): Promise<void> {
  const at = now(platform);
  const notSince = new Date(at.getTime() - MAIL_GAP_MS);
  if (!(await markMailed(tx, { organizationId, userId }, at, notSince))) return;
  await platform.mail.enqueue(tx, { kind: 'teamInvitation', userId, organizationId, invitedBy });
}

function record(
  platform: Platform,
  tx: Database,
  actor: Actor,
  action: AuditAction,
  { organizationId, userId }: Employment,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, actor, now(platform), { action, organizationId, userId, details });
}

function now(platform: Platform): Date {
  return new Date(platform.clock.now());
}
