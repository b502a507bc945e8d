import type {
  AuditAction,
  ChangeMemberBody,
  DeviceConnectAnswer,
  InviteMemberBody,
  ProxyAnnounceAnswer,
  SiteMember,
  SiteRole,
  WritableRole,
} from '@heliograph/contracts';
import { type Clock, Forbidden } from '@heliograph/kit';
import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn, requirePerson } from '../../access/caller.ts';
import type { AccessibleSite, SiteAccess } from '../../access/site-access.ts';
import { requirePermission } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import type { Admission, InvitationService } from '../invitations/service.ts';
import type { MailService } from '../mail/service.ts';
import type { GivenAccess } from './given-access.ts';
import { presentMember, presentRevocation } from './present.ts';
import type { MemberRepository } from './repository.ts';
import type { RevocationRepository } from './revocation-repository.ts';

/** Revocations in one answer to a proxy, about: the oldest come first, and the next answer has the rest. */
const MAX_REVOCATIONS = 10_000;

/** Revocations in the answer to a device: the newest of its site. */
const MAX_REVOCATIONS_OF_SITE = 2_000;

/** The part of an answer to a proxy about revoked site tokens. */
type RevocationUpdate = Pick<ProxyAnnounceAnswer, 'revocations' | 'revocations_next' | 'revocations_more'>;

type DeviceRevocation = NonNullable<Extract<DeviceConnectAnswer, { status: 'ready' }>['revocations']>[number];

/** A revocation is visible once its transaction ends, at most this many milliseconds after its date. */
const REVOCATION_DELAY_MS = 60_000;

/** The roles of accounts on sites. */
export class MemberService {
  readonly #access: SiteAccess;
  readonly #members: MemberRepository;
  readonly #revocations: RevocationRepository;
  readonly #invitations: InvitationService;
  readonly #givenAccess: GivenAccess;
  readonly #mail: MailService;
  readonly #clock: Clock;

  constructor(
    access: SiteAccess,
    members: MemberRepository,
    revocations: RevocationRepository,
    invitations: InvitationService,
    givenAccess: GivenAccess,
    mail: MailService,
    clock: Clock,
  ) {
    this.#access = access;
    this.#members = members;
    this.#revocations = revocations;
    this.#invitations = invitations;
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
   * Gives the account with the email address a role; creates the account, and mails it, if there is none.
   *
   * @throws NotFound; Forbidden; ValidationError when a new account has no names; TooManyRequests
   */
  async invite(caller: Caller, siteId: number, body: InviteMemberBody): Promise<SiteMember> {
    const role = roleOf(body.role);
    const admission = await this.#admit(caller, siteId, body.email, role);
    return this.#members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      const invitee = { email: body.email, firstName: body.first_name, lastName: body.last_name };
      const destination = { organizationId: site.organizationId, siteId, makesCustomer: true };
      const isMember = async (id: number) => (await this.#members.member(siteId, id, tx)) !== undefined;
      const account = await this.#invitations.accountOf(
        tx,
        caller,
        invitee,
        destination,
        admission,
        isMember,
      );
      const member = await this.#members.member(siteId, account.id, tx);
      this.#requireMayGive(caller, site, member?.role ?? null, role);
      await this.#assign(tx, caller, site, account.id, member?.role ?? null, role, account.pending);
      // An account without a password is mailed the invitation, a new owner that the site is theirs.
      const isNotified = !account.pending && admission.mailAllowed && account.id !== caller.userId;
      if (member === undefined && role !== 'owner' && isNotified) {
        await this.#mail.enqueue(tx, { kind: 'siteAccess', userId: account.id, ...aboutSite(caller, site) });
      }
      return presentMember({ ...account, role });
    });
  }

  /** @throws NotFound also for an account that has no role on the site; Forbidden */
  changeRole(caller: Caller, siteId: number, userId: number, body: ChangeMemberBody): Promise<SiteMember> {
    const role = roleOf(body.role);
    return this.#members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      requirePermission(site.permissions, 'manage');
      const member = orNotFound(await this.#members.member(siteId, userId, tx));
      this.#requireMayGive(caller, site, member.role, role);
      await this.#assign(tx, caller, site, userId, member.role, role);
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
      await this.#members.remove(tx, siteId, userId);
      await this.#record(tx, caller, site, 'site_member.removed', userId, { from: member.role, to: null });
      await this.#revoke(tx, siteId, userId);
      if (userId !== caller.userId) await this.#notifyOwner(tx, caller, site, userId, 'removed');
    });
  }

  /**
   * Site tokens revoked after a date; without one, or with an invalid one (a leap second), within the lifetime of a
   * site token.
   */
  async revocationsSince(date?: Date): Promise<RevocationUpdate> {
    const nowMs = this.#clock.now();
    // Includes revocations of exactly that age.
    const oldestMs = nowMs - SITE_TOKEN_LIFETIME_MS - 1;
    const requestedMs = date?.getTime() ?? Number.NaN;
    const since = new Date(requestedMs > oldestMs ? requestedMs : oldestMs);
    const found = await this.#revocations.since(since, MAX_REVOCATIONS);
    const last = found.length < MAX_REVOCATIONS ? undefined : found.at(-1);
    return {
      revocations: found.map(presentRevocation),
      // A complete answer is followed by one that repeats the latest ones: some of that time may not be visible yet.
      revocations_next: (last?.revokedAt ?? new Date(nowMs - REVOCATION_DELAY_MS)).toISOString(),
      revocations_more: last !== undefined,
    };
  }

  /** Revocations of a site's tokens that may not have expired yet, for its device. */
  async revocationsOf(siteId: number): Promise<DeviceRevocation[]> {
    const since = new Date(this.#clock.now() - SITE_TOKEN_LIFETIME_MS - 1);
    const found = await this.#revocations.ofSite(siteId, since, MAX_REVOCATIONS_OF_SITE);
    return found.map(({ subject, revokedAt }) => ({ subject, revoked_at: revokedAt.toISOString() }));
  }

  /** Refuses before any limit is counted. A change of an existing member's role does not count. */
  async #admit(caller: Caller, siteId: number, email: string, role: SiteRole): Promise<Admission> {
    const site = orNotFound(await this.#access.find(caller, siteId));
    const account = await this.#invitations.find(email);
    const member = account && (await this.#members.member(siteId, account.id));
    this.#requireMayGive(caller, site, member?.role ?? null, role);
    if (member !== undefined && !account?.pending) return { mailAllowed: false };
    if (!site.permissions.has('grant')) await this.#givenAccess.count(caller, site.organizationId);
    return this.#invitations.admit(caller, email);
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
    personId: number,
    change: 'added' | 'removed',
  ): Promise<void> {
    if (site.permissions.has('grant')) return;
    const at = new Date(this.#clock.now()).toISOString();
    const about = { userId: site.ownerId, personId, change, at, ...aboutSite(caller, site) };
    await this.#mail.enqueue(tx, { kind: 'readerChanged', ...about });
  }

  async #assign(
    tx: Database,
    caller: Caller,
    site: AccessibleSite,
    userId: number,
    from: SiteRole | null,
    to: SiteRole,
    isInvited = false,
  ): Promise<void> {
    if (from === to) return;
    if (from === 'owner') throw new Forbidden('The owner stays the owner until the site is handed over');
    const at = new Date(this.#clock.now());
    if (to === 'owner') {
      await this.#members.transfer(tx, site, userId, actorOf(caller), at);
      const details = { from: site.ownerId, to: userId, former_role: from };
      await this.#record(tx, caller, site, 'site.ownership_transferred', userId, details);
      await this.#mailOwners(tx, caller, site, { newOwnerId: userId, isInvited, at });
      return;
    }
    await this.#members.setRole(tx, site.id, userId, to, at);
    const action = from === null ? 'site_member.added' : 'site_member.changed';
    await this.#record(tx, caller, site, action, userId, { from, to });
    if (from === 'admin') await this.#revoke(tx, site.id, userId);
    if (from === null) await this.#notifyOwner(tx, caller, site, userId, 'added');
  }

  async #mailOwners(
    tx: Database,
    caller: Caller,
    site: AccessibleSite,
    { newOwnerId, isInvited, at }: { newOwnerId: number; isInvited: boolean; at: Date },
  ): Promise<void> {
    const about = {
      kind: 'ownership',
      newOwnerId,
      at: at.toISOString(),
      ...aboutSite(caller, site),
    } as const;
    // An account without a password gets the invitation instead.
    if (!isInvited) await this.#mail.enqueue(tx, { ...about, userId: newOwnerId, reader: 'new' });
    await this.#mail.enqueue(tx, { ...about, userId: site.ownerId, reader: 'former' });
  }

  async #revoke(tx: Database, siteId: number, userId: number): Promise<void> {
    const lost = sql`select ${siteId}::integer as site_id, ${userId}::integer as user_id`;
    await revokeSiteTokensOfUsers(tx, lost, new Date(this.#clock.now()));
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

/** The site and the acting account, for mails. */
function aboutSite({ userId }: Caller, { id, organizationId }: AccessibleSite) {
  return { siteId: id, organizationId, actorId: userId || null };
}

function roleOf(role: WritableRole): SiteRole {
  return role === 'viewer' ? 'member' : role;
}
