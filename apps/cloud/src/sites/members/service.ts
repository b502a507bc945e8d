import type {
  AuditAction,
  ChangeMemberBody,
  InviteMemberBody,
  SiteMember,
  SiteRole,
  WritableRole,
} from '@heliograph/contracts';
import { canonicalEmail } from '@heliograph/contracts/email-address';
import { type Clock, Forbidden } from '@heliograph/kit';
import { actorOf, type Caller, requireFreshSignIn, requirePerson } from '../../access/caller.ts';
import type { AccessibleSite, SiteAccess } from '../../access/site-access.ts';
import { requirePermission } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { mailedOwnerOf } from '../../db/site-invitations.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import {
  type Admission,
  admitInvitation,
  invitedAccount,
  maySendInvitation,
  namesOf,
} from '../../organizations/invitations/invitations.ts';
import { findInvited } from '../../organizations/invitations/rows.ts';
import type { Platform } from '../../platform.ts';
import { endFormerMembership, endMembership, endRights, type MembershipOptions } from './end-membership.ts';
import type { GivenAccess } from './given-access.ts';
import type { SiteInvitationRepository } from './invitation-repository.ts';
import { presentMember } from './present.ts';
import type { MemberRepository } from './repository.ts';

export { listMembers } from './repository.ts';

/** The roles of accounts on sites. */
export class MemberService {
  readonly #access: SiteAccess;
  readonly #members: MemberRepository;
  readonly #pending: SiteInvitationRepository;
  readonly #platform: Platform;
  readonly #givenAccess: GivenAccess;
  readonly #mail: MailService;
  readonly #clock: Clock;

  constructor(
    access: SiteAccess,
    members: MemberRepository,
    pending: SiteInvitationRepository,
    platform: Platform,
    givenAccess: GivenAccess,
    mail: MailService,
    clock: Clock,
  ) {
    this.#access = access;
    this.#members = members;
    this.#pending = pending;
    this.#platform = platform;
    this.#givenAccess = givenAccess;
    this.#mail = mail;
    this.#clock = clock;
  }

  /** The owner first. @throws NotFound */
  async list(caller: Caller, siteId: number): Promise<SiteMember[]> {
    orNotFound(await this.#access.find(caller, siteId));
    return (await this.#members.list(siteId)).map(presentMember);
  }

  /**
   * Gives the account with the email address a role; creates the account, and mails it, if there is none. Until its person
   * has accepted, the answer has the names of the invitation.
   *
   * @throws NotFound; Forbidden; ValidationError when a person who is new to the service has no names; TooManyRequests
   */
  async invite(caller: Caller, siteId: number, body: InviteMemberBody): Promise<SiteMember> {
    const role = roleOf(body.role);
    const admission = await this.#admit(caller, siteId, body, role);
    return this.#members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      const invitee = { email: body.email, firstName: body.first_name, lastName: body.last_name };
      const destination = { organizationId: site.organizationId, siteId, makesCustomer: true };
      const isMember = async (id: number) => (await this.#members.member(siteId, id, tx)) !== undefined;
      const account = await invitedAccount(
        this.#platform,
        tx,
        caller,
        invitee,
        destination,
        admission,
        isMember,
      );
      const member = await this.#members.member(siteId, account.id, tx);
      this.#requireMayGive(caller, site, member?.role ?? null, role);
      // Those who add themselves have accepted, and the operator's console vouches for people.
      const isPending = member?.pending ?? (account.id !== caller.userId && caller.kind !== 'console');
      if (isPending) await this.#addInvitation(tx, caller, siteId, account.id, body);
      const mails = { isInvited: account.pending, isPending, mailAllowed: admission.mailAllowed };
      await this.#assign(tx, caller, site, account.id, member?.role ?? null, role, mails);
      // An account without a password is mailed the invitation, a new owner that the site is theirs.
      if (member === undefined && role !== 'owner' && isPending && !account.pending && admission.mailAllowed)
        await this.#mail.enqueue(tx, { kind: 'siteAccess', userId: account.id, ...aboutSite(caller, site) });
      return presentMember(orNotFound(await this.#members.member(siteId, account.id, tx)));
    });
  }

  /** @throws NotFound also for an account that has no role on the site; Forbidden */
  async changeRole(
    caller: Caller,
    siteId: number,
    userId: number,
    body: ChangeMemberBody,
  ): Promise<SiteMember> {
    const role = roleOf(body.role);
    const site = orNotFound(await this.#access.find(caller, siteId));
    requirePermission(site.permissions, 'manage');
    const before = orNotFound(await this.#members.member(siteId, userId));
    this.#requireMayGive(caller, site, before.role, role);
    const mailAllowed =
      role !== 'owner' ||
      !before.pending ||
      (await maySendInvitation(this.#platform, siteId, before.email, 'ownership'));
    return this.#members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      requirePermission(site.permissions, 'manage');
      const member = orNotFound(await this.#members.member(siteId, userId, tx));
      this.#requireMayGive(caller, site, member.role, role);
      const mails = { isInvited: false, isPending: member.pending, mailAllowed };
      await this.#assign(tx, caller, site, userId, member.role, role, mails);
      return presentMember({ ...member, role });
    });
  }

  /**
   * Removes an account's role. Every member can leave; the owner transfers the site first.
   *
   * @throws NotFound also for an account that has no role on the site; Forbidden
   */
  remove(caller: Caller, siteId: number, userId: number): Promise<void> {
    return this.#members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      requirePermission(site.permissions, userId === caller.userId ? 'leave' : 'manage');
      const member = orNotFound(await this.#members.member(siteId, userId, tx));
      if (member.role === 'owner')
        throw new Forbidden('The owner cannot be removed: hand the site over first');
      if (userId !== caller.userId) this.#requireMayGive(caller, site, member.role, 'member');
      await endMembership(tx, this.#membership(), actorOf(caller), site, member);
      const about = { personId: userId, isPending: member.pending, change: 'removed' } as const;
      if (userId !== caller.userId) await this.#notifyOwner(tx, caller, site, about);
    });
  }

  /** Refuses before any limit is counted. A change of the role of a member who accepted does not count. */
  async #admit(
    caller: Caller,
    siteId: number,
    { email, first_name: firstName, last_name: lastName }: InviteMemberBody,
    role: SiteRole,
  ): Promise<Admission> {
    const site = orNotFound(await this.#access.find(caller, siteId));
    const account = await findInvited(this.#platform.db, email);
    const member = account && (await this.#members.member(siteId, account.id));
    this.#requireMayGive(caller, site, member?.role ?? null, role);
    const canSignIn = account !== undefined && !account.pending;
    if (member === undefined && !canSignIn) namesOf({ firstName, lastName });
    if (canSignIn && member?.pending === false) return { mailAllowed: true };
    if (!site.permissions.has('grant')) await this.#givenAccess.count(caller, site.organizationId);
    const admission = await admitInvitation(this.#platform, caller, email, { siteId, organizationId: null });
    if (!canSignIn || !admission.mailAllowed || caller.kind === 'console') return admission;
    if (role === 'owner')
      return { mailAllowed: await maySendInvitation(this.#platform, siteId, email, 'ownership') };
    const isNew = member === undefined;
    return { mailAllowed: isNew && (await maySendInvitation(this.#platform, siteId, email, 'access')) };
  }

  /** Names that are not given leave those of an earlier invitation. */
  #addInvitation(
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
    return this.#pending.upsert(tx, invitation, new Date(this.#clock.now()));
  }

  /**
   * People with a role on the site itself give every role but those above their own. Others who manage it let people
   * read it, in person: no token does that.
   *
   * @throws Forbidden; FreshSignInRequired
   */
  #requireMayGive(
    caller: Caller,
    { permissions }: AccessibleSite,
    from: SiteRole | null,
    to: SiteRole,
  ): void {
    requirePermission(permissions, 'manage');
    if (to !== 'member' || (from !== null && from !== 'member')) requirePermission(permissions, 'grant');
    if (to === 'owner') requirePermission(permissions, 'own');
    if (!permissions.has('grant')) requirePerson(caller, this.#clock.now());
    else if (to === 'owner') requireFreshSignIn(caller, this.#clock.now());
  }

  /** Mails the owner about the work of others than the household. */
  async #notifyOwner(
    tx: Database,
    caller: Caller,
    site: AccessibleSite,
    about: { readonly personId: number; readonly isPending: boolean; readonly change: 'added' | 'removed' },
  ): Promise<void> {
    if (site.permissions.has('grant')) return;
    const userId = await mailedOwnerOf(tx, site.id);
    if (userId === null) return;
    const at = new Date(this.#clock.now()).toISOString();
    await this.#mail.enqueue(tx, { kind: 'readerChanged', userId, ...about, at, ...aboutSite(caller, site) });
  }

  async #assign(
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
    const at = new Date(this.#clock.now());
    const { isPending } = mails;
    const pending = isPending ? { pending: true } : {};
    if (to === 'owner') {
      await this.#transfer(tx, caller, site, userId, from, at);
      const details = { from: site.ownerId, to: userId, former_role: from, ...pending };
      await this.#record(tx, caller, site, 'site.ownership_transferred', userId, details);
      await this.#mailOwners(tx, caller, site, { newOwnerId: userId, at, ...mails });
      return;
    }
    await this.#members.setRole(tx, site.id, userId, to, at);
    const action = from === null ? 'site_member.added' : 'site_member.changed';
    await this.#record(tx, caller, site, action, userId, { from, to, ...pending });
    if (from === 'admin') await endRights(tx, site.id, userId, this.#clock);
    if (from === null)
      await this.#notifyOwner(tx, caller, site, { personId: userId, isPending, change: 'added' });
  }

  /** The former owner stays an admin until the new one accepts. A handover by the operator's console is final. */
  async #transfer(
    tx: Database,
    caller: Caller,
    site: AccessibleSite,
    newOwnerId: number,
    from: Exclude<SiteRole, 'owner'> | null,
    at: Date,
  ): Promise<void> {
    const { id, ownerId } = site;
    await this.#endFormerHandover(tx, caller, site, newOwnerId);
    await this.#members.setOwner(tx, id, newOwnerId, actorOf(caller), at);
    await this.#members.setRole(tx, id, ownerId, 'admin', at);
    const isFinal = caller.kind === 'console';
    const transfer = isFinal ? undefined : { formerOwnerId: ownerId, formerRole: from };
    await this.#pending.setTransfer(tx, id, transfer, at);
    if (isFinal) await this.#pending.remove(tx, { siteId: id, userId: newOwnerId });
  }

  /** An owner who hands a site on has taken it: the one before has no role on it any more. */
  async #endFormerHandover(
    tx: Database,
    caller: Caller,
    site: AccessibleSite,
    newOwnerId: number,
  ): Promise<void> {
    const formerId = await this.#pending.formerMember(tx, site.id);
    if (formerId === null || formerId === newOwnerId) return;
    await endFormerMembership(tx, this.#membership(), actorOf(caller), site, formerId);
  }

  #membership(): MembershipOptions {
    return { members: this.#members, pending: this.#pending, clock: this.#clock };
  }

  async #mailOwners(
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
    if (!isInvited && mailAllowed)
      await this.#mail.enqueue(tx, { ...about, userId: newOwnerId, reader: 'new' });
    await this.#mail.enqueue(tx, { ...about, userId: site.ownerId, reader: 'former' });
  }

  #record(
    tx: Database,
    caller: Caller,
    { id, organizationId }: AccessibleSite,
    action: AuditAction,
    userId: number,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const event = { action, siteId: id, organizationId, userId, details };
    return recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), event);
  }
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
