import type {
  AuditAction,
  InviteMemberBody,
  SiteMember,
  SiteRole,
  WritableRole,
} from '@heliograph/contracts';
import { canonicalEmail } from '@heliograph/contracts/email-address';
import { Forbidden } from '@heliograph/kit';
import { actorOf, type Caller, requireFreshSignIn, requirePerson } from '../../access/caller.ts';
import type { AccessibleSite } from '../../access/site-access.ts';
import { requirePermission } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { slicePage } from '../../db/page.ts';
import { mailedOwnerOf } from '../../db/site-invitations.ts';
import type { InputOf } from '../../http/use-cases.ts';
import {
  type Admission,
  admitInvitation,
  invitedAccount,
  maySendInvitation,
  namesOf,
} from '../../organizations/invitations/invitations.ts';
import { findInvited } from '../../organizations/invitations/rows.ts';
import type { Platform } from '../../platform.ts';
import { endFormerMembership, endMembership, endRights } from './end-membership.ts';
import { countGivenAccess } from './given-access.ts';
import { formerMemberOf, removeInvitation, setTransfer, upsertInvitation } from './invitation-rows.ts';
import { presentMember } from './present.ts';
import { findMember, listMembers, setOwner, setRole, withLockedSite } from './rows.ts';

/** The owner first. */
export async function listSiteMembers(
  { db }: Platform,
  _caller: Caller,
  { site: { id }, query }: InputOf<'listSiteMembers'>,
): Promise<SiteMember[]> {
  return slicePage((await listMembers(db, id)).map(presentMember), query);
}

/**
 * Gives the account with the email address a role; creates the account, and mails it, if there is none. Until its person
 * has accepted, the answer has the names of the invitation.
 *
 * @throws NotFound; Forbidden; ValidationError when a person who is new to the service has no names; TooManyRequests
 */
export async function inviteSiteMember(
  platform: Platform,
  caller: Caller,
  { site: permitted, body }: Pick<InputOf<'inviteSiteMember'>, 'site' | 'body'>,
): Promise<SiteMember> {
  const { mail } = platform;
  const { id: siteId } = permitted;
  const role = roleOf(body.role);
  const admission = await admit(platform, caller, permitted, body, role);
  return withLockedSite(platform.db, caller, siteId, async (tx, site) => {
    const invitee = { email: body.email, firstName: body.first_name, lastName: body.last_name };
    const destination = { organizationId: site.organizationId, siteId, makesCustomer: true };
    const isMember = async (id: number) => (await findMember(tx, siteId, id)) !== undefined;
    const account = await invitedAccount(platform, tx, caller, invitee, destination, admission, isMember);
    const member = await findMember(tx, siteId, account.id);
    requireMayGive(platform, caller, site, member?.role ?? null, role);
    // Those who add themselves have accepted, and the operator's console vouches for people.
    const isPending = member?.pending ?? (account.id !== caller.userId && caller.kind !== 'console');
    if (isPending) await addInvitation(platform, tx, caller, siteId, account.id, body);
    const mails = { isInvited: account.pending, isPending, mailAllowed: admission.mailAllowed };
    await assign(platform, tx, caller, site, account.id, member?.role ?? null, role, mails);
    // An account without a password is mailed the invitation, a new owner that the site is theirs.
    if (member === undefined && role !== 'owner' && isPending && !account.pending && admission.mailAllowed)
      await mail.enqueue(tx, { kind: 'siteAccess', userId: account.id, ...aboutSite(caller, site) });
    return presentMember(orNotFound(await findMember(tx, siteId, account.id)));
  });
}

/** @throws NotFound also for an account that has no role on the site; Forbidden */
export async function updateSiteMember(
  platform: Platform,
  caller: Caller,
  { site: permitted, params: { user_id: userId }, body }: InputOf<'updateSiteMember'>,
): Promise<SiteMember> {
  const { db } = platform;
  const { id: siteId } = permitted;
  const role = roleOf(body.role);
  const before = orNotFound(await findMember(db, siteId, userId));
  requireMayGive(platform, caller, permitted, before.role, role);
  const mailAllowed =
    role !== 'owner' ||
    !before.pending ||
    (await maySendInvitation(platform, siteId, before.email, 'ownership'));
  return withLockedSite(db, caller, siteId, async (tx, site) => {
    requirePermission(site.permissions, 'manage');
    const member = orNotFound(await findMember(tx, siteId, userId));
    requireMayGive(platform, caller, site, member.role, role);
    const mails = { isInvited: false, isPending: member.pending, mailAllowed };
    await assign(platform, tx, caller, site, userId, member.role, role, mails);
    return presentMember({ ...member, role });
  });
}

/**
 * Removes an account's role. Every member can leave; the owner transfers the site first.
 *
 * @throws NotFound also for an account that has no role on the site; Forbidden
 */
export async function removeSiteMember(
  platform: Platform,
  caller: Caller,
  { params: { id: siteId, user_id: userId } }: InputOf<'removeSiteMember'>,
): Promise<void> {
  await withLockedSite(platform.db, caller, siteId, async (tx, site) => {
    requirePermission(site.permissions, userId === caller.userId ? 'leave' : 'manage');
    const member = orNotFound(await findMember(tx, siteId, userId));
    if (member.role === 'owner') throw new Forbidden('The owner cannot be removed: hand the site over first');
    if (userId !== caller.userId) requireMayGive(platform, caller, site, member.role, 'member');
    await endMembership(platform, tx, actorOf(caller), site, member);
    const about = { personId: userId, isPending: member.pending, change: 'removed' } as const;
    if (userId !== caller.userId) await notifyOwner(platform, tx, caller, site, about);
  });
}

/** Refuses before any limit is counted. A change of the role of a member who accepted does not count. */
async function admit(
  platform: Platform,
  caller: Caller,
  site: AccessibleSite,
  { email, first_name: firstName, last_name: lastName }: InviteMemberBody,
  role: SiteRole,
): Promise<Admission> {
  const { db } = platform;
  const { id: siteId, organizationId } = site;
  const account = await findInvited(db, email);
  const member = account && (await findMember(db, siteId, account.id));
  requireMayGive(platform, caller, site, member?.role ?? null, role);
  const canSignIn = account !== undefined && !account.pending;
  if (member === undefined && !canSignIn) namesOf({ firstName, lastName });
  if (canSignIn && member?.pending === false) return { mailAllowed: true };
  if (!site.permissions.has('grant')) await countGivenAccess(platform, caller, organizationId);
  const admission = await admitInvitation(platform, caller, email, { siteId, organizationId: null });
  if (!canSignIn || !admission.mailAllowed || caller.kind === 'console') return admission;
  if (role === 'owner') return { mailAllowed: await maySendInvitation(platform, siteId, email, 'ownership') };
  const isNew = member === undefined;
  return { mailAllowed: isNew && (await maySendInvitation(platform, siteId, email, 'access')) };
}

/** Names that are not given leave those of an earlier invitation. */
function addInvitation(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  siteId: number,
  userId: number,
  { email, first_name, last_name }: InviteMemberBody,
): Promise<void> {
  const names = { firstName: first_name?.trim() ?? '', lastName: last_name?.trim() ?? '' };
  const invitation = {
    siteId,
    userId,
    email: canonicalEmail(email) ?? email.trim(),
    ...names,
    invitedBy: caller.userId || null,
  };
  return upsertInvitation(tx, invitation, new Date(clock.now()));
}

/**
 * People with a role on the site itself give every role but those above their own. Others who manage it let people
 * read it, in person: no token does that.
 *
 * @throws Forbidden; FreshSignInRequired
 */
function requireMayGive(
  { clock }: Platform,
  caller: Caller,
  { permissions }: AccessibleSite,
  from: SiteRole | null,
  to: SiteRole,
): void {
  requirePermission(permissions, 'manage');
  if (to !== 'member' || (from !== null && from !== 'member')) requirePermission(permissions, 'grant');
  if (to === 'owner') requirePermission(permissions, 'own');
  if (!permissions.has('grant')) requirePerson(caller, clock.now());
  else if (to === 'owner') requireFreshSignIn(caller, clock.now());
}

/** Mails the owner about the work of others than the household. */
async function notifyOwner(
  { mail, clock }: Platform,
  tx: Database,
  caller: Caller,
  site: AccessibleSite,
  about: { readonly personId: number; readonly isPending: boolean; readonly change: 'added' | 'removed' },
): Promise<void> {
  if (site.permissions.has('grant')) return;
  const userId = await mailedOwnerOf(tx, site.id);
  if (userId === null) return;
  const at = new Date(clock.now()).toISOString();
  await mail.enqueue(tx, { kind: 'readerChanged', userId, ...about, at, ...aboutSite(caller, site) });
}

async function assign(
  platform: Platform,
  tx: Database,
  caller: Caller,
  site: AccessibleSite,
  userId: number,
  from: SiteRole | null,
  to: SiteRole,
  mails: AssignmentMails,
): Promise<void> {
  if (from === to) return;
  if (from === 'owner') throw new Forbidden('The owner stays the owner until the site is handed over');
  const at = new Date(platform.clock.now());
  const { isPending } = mails;
  const pending = isPending ? { pending: true } : {};
  if (to === 'owner') {
    await transfer(platform, tx, caller, site, userId, from, at);
    const details = { from: site.ownerId, to: userId, former_role: from, ...pending };
    await record(platform, tx, caller, site, 'site.ownership_transferred', userId, details);
    await mailOwners(platform, tx, caller, site, { newOwnerId: userId, at, ...mails });
    return;
  }
  await setRole(tx, site.id, userId, to, at);
  const action = from === null ? 'site_member.added' : 'site_member.changed';
  await record(platform, tx, caller, site, action, userId, { from, to, ...pending });
  if (from === 'admin') await endRights(tx, site.id, userId, platform.clock);
  if (from === null)
    await notifyOwner(platform, tx, caller, site, { personId: userId, isPending, change: 'added' });
}

/** The former owner stays an admin until the new one accepts. A handover by the operator's console is final. */
async function transfer(
  platform: Platform,
  tx: Database,
  caller: Caller,
  site: AccessibleSite,
  newOwnerId: number,
  from: Exclude<SiteRole, 'owner'> | null,
  at: Date,
): Promise<void> {
  const { id, ownerId } = site;
  await endFormerHandover(platform, tx, caller, site, newOwnerId);
  await setOwner(tx, id, newOwnerId, actorOf(caller), at);
  await setRole(tx, id, ownerId, 'admin', at);
  const isFinal = caller.kind === 'console';
  const pending = isFinal ? undefined : { formerOwnerId: ownerId, formerRole: from };
  await setTransfer(tx, id, pending, at);
  if (isFinal) await removeInvitation(tx, { siteId: id, userId: newOwnerId });
}

/** An owner who hands a site on has taken it: the one before has no role on it any more. */
async function endFormerHandover(
  platform: Platform,
  tx: Database,
  caller: Caller,
  site: AccessibleSite,
  newOwnerId: number,
): Promise<void> {
  const formerId = await formerMemberOf(tx, site.id);
  if (formerId === null || formerId === newOwnerId) return;
  await endFormerMembership(platform, tx, actorOf(caller), site, formerId);
}

async function mailOwners(
  { mail }: Platform,
  tx: Database,
  caller: Caller,
  site: AccessibleSite,
  { newOwnerId, at, isInvited, isPending, mailAllowed }: AssignmentMails & { newOwnerId: number; at: Date },
): Promise<void> {
  const about = {
    kind: 'ownership',
    newOwnerId,
    isPending,
    at: at.toISOString(),
    ...aboutSite(caller, site),
  } as const;
  // An account without a password gets the invitation instead.
  if (!isInvited && mailAllowed) await mail.enqueue(tx, { ...about, userId: newOwnerId, reader: 'new' });
  await mail.enqueue(tx, { ...about, userId: site.ownerId, reader: 'former' });
}

function record(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  { id, organizationId }: AccessibleSite,
  action: AuditAction,
  userId: number,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const event = { action, siteId: id, organizationId, userId, details };
  return recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
}

interface AssignmentMails {
  /** The account has no password, and is mailed the invitation that sets one. */
  readonly isInvited: boolean;
  /** The person has not accepted the role. */
  readonly isPending: boolean;
  /** The limits allow a mail to a new owner. */
  readonly mailAllowed: boolean;
}

/** The site and the acting account, for mails. */
function aboutSite({ userId }: Caller, { id, organizationId }: AccessibleSite) {
  return { siteId: id, organizationId, actorId: userId || null };
}

function roleOf(role: WritableRole): SiteRole {
  return role === 'viewer' ? 'member' : role;
}
