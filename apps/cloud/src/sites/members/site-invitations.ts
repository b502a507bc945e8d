import type { AcceptSiteInvitationBody, AuditAction, SiteInvitation } from '@heliograph/contracts';
import { type Clock, Forbidden, NotFound } from '@heliograph/kit';
import {
  actorOf,
  type Caller,
  requireFreshSignIn,
  requireOwnToken,
  requireSession,
} from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { maySendInvitation } from '../../organizations/invitations/invitations.ts';
import type { Platform } from '../../platform.ts';
import { endFormerMembership, endMembership, endRights } from './end-membership.ts';
import type { PendingTransfer, SiteInvitationRepository } from './invitation-repository.ts';
import { presentInvitation } from './present.ts';
import type { LockedSite, MemberRepository } from './repository.ts';

export interface SiteInvitationOptions {
  readonly members: MemberRepository;
  readonly pending: SiteInvitationRepository;
  readonly platform: Platform;
  readonly mail: MailService;
  readonly clock: Clock;
}

/** Acceptance of roles on sites: they are given at once, and sites send messages to those alone who accepted them. */
export class SiteInvitations {
  readonly #options: SiteInvitationOptions;

  constructor(options: SiteInvitationOptions) {
    this.#options = options;
  }

  /** Of the caller's account, the newest first. @throws Forbidden unless it is a session */
  async received(caller: Caller): Promise<SiteInvitation[]> {
    requireSession(caller);
    return (await this.#options.pending.received(caller)).map(presentInvitation);
  }

  /** @throws Forbidden unless it is a session; NotFound without an invitation */
  accept(caller: Caller, siteId: number, body: AcceptSiteInvitationBody): Promise<void> {
    requireSession(caller);
    return this.#options.members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      const keepsFormer = body.keep_former_owner === true;
      if (!(await this.#accept(tx, actorOf(caller), site, caller.userId, keepsFormer))) throw new NotFound();
    });
  }

  /**
   * Accepts for the account that sets its first password with the link of the invitation's mail. Locks the site, so it is
   * called before the account is locked.
   */
  async acceptByLink(tx: Database, actor: Actor, siteId: number, userId: number): Promise<void> {
    const site = await this.#options.members.lock(tx, siteId);
    if (site !== undefined) await this.#accept(tx, actor, site, userId, false);
  }

  /**
   * Gives up a role, or gives a site back to its former owner.
   *
   * @throws Forbidden unless it is a session, and for an owner whose former owner is gone; NotFound without an invitation
   */
  decline(caller: Caller, siteId: number): Promise<void> {
    requireSession(caller);
    const { members, pending } = this.#options;
    const { userId } = caller;
    return members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      const transfer = await pending.transfer(siteId, this.#now(), tx);
      const member = orNotFound(await members.member(siteId, userId, tx));
      if (site.ownerId === userId) {
        if (transfer === undefined && !member.pending) throw new NotFound();
        if (transfer === undefined)
          throw new Forbidden('The former owner is gone: hand the site over, or release it');
        await this.#giveBack(tx, caller, site, transfer, { isPending: member.pending, outcome: 'declined' });
        return;
      }
      if (!member.pending) throw new NotFound();
      await endMembership(tx, this.#options, actorOf(caller), site, member);
    });
  }

  /**
   * Takes a site back that the caller handed over.
   *
   * @throws NotFound when the handover is final, or the caller is not the former owner; FreshSignInRequired
   */
  async recall(caller: Caller, siteId: number): Promise<void> {
    requireOwnToken(caller);
    const { members, pending, platform, clock } = this.#options;
    const before = await pending.transfer(siteId, this.#now());
    if (before?.formerMemberId !== caller.userId) throw new NotFound();
    requireFreshSignIn(caller, clock.now());
    const [owner] = await members.list(siteId);
    const isMailed =
      owner !== undefined &&
      (!owner.pending || (await maySendInvitation(platform, siteId, owner.email, 'return')));
    return members.withLockedSite(caller, siteId, async (tx, found) => {
      const site = orNotFound(found);
      const transfer = orNotFound(await pending.transfer(siteId, this.#now(), tx));
      if (transfer.formerMemberId !== caller.userId) throw new NotFound();
      const { pending: isPending } = orNotFound(await members.member(siteId, site.ownerId, tx));
      await this.#giveBack(tx, caller, site, transfer, { isPending, outcome: 'recalled' });
      if (!isMailed) return;
      const about = { reader: 'new', outcome: 'recalled', newOwnerId: site.ownerId, isPending } as const;
      await this.#mail(tx, site, site.ownerId, caller.userId, about);
    });
  }

  /** @returns false when there was nothing to accept */
  async #accept(
    tx: Database,
    actor: Actor,
    site: LockedSite,
    userId: number,
    keepsFormer: boolean,
  ): Promise<boolean> {
    const { members, pending } = this.#options;
    const { id: siteId } = site;
    const member = await members.member(siteId, userId, tx);
    if (member === undefined) return false;
    const transfer = member.role === 'owner' ? await pending.transfer(siteId, this.#now(), tx) : undefined;
    const wasPending = await pending.remove(tx, { siteId, userId });
    if (!wasPending && transfer === undefined) return false;
    const details = { role: member.role };
    await this.#record(tx, actor, site, 'site_member.accepted', userId, details);
    if (transfer === undefined) return true;
    await pending.setTransfer(tx, siteId, undefined, this.#now());
    const formerId = transfer.formerMemberId;
    if (formerId === null) return true;
    // The household that the home has now gives the roles on it.
    if (!keepsFormer) await endFormerMembership(tx, this.#options, actor, site, formerId);
    const about = {
      reader: 'former',
      outcome: keepsFormer ? 'kept' : 'accepted',
      newOwnerId: userId,
    } as const;
    await this.#mail(tx, site, formerId, userId, { ...about, isPending: false });
    return true;
  }

  async #giveBack(
    tx: Database,
    caller: Caller,
    site: LockedSite,
    { formerOwnerId, formerRole }: PendingTransfer,
    { isPending, outcome }: { readonly isPending: boolean; readonly outcome: 'declined' | 'recalled' },
  ): Promise<void> {
    const { members, pending } = this.#options;
    const { id: siteId, ownerId: newOwnerId } = site;
    const [actor, at] = [actorOf(caller), this.#now()];
    await members.setOwner(tx, siteId, formerOwnerId, actor, at);
    await pending.setTransfer(tx, siteId, undefined, at);
    const role = isPending && outcome === 'declined' ? null : formerRole;
    if (role !== null) await members.setRole(tx, siteId, newOwnerId, role, at);
    else await pending.remove(tx, { siteId, userId: newOwnerId });
    const details = {
      from: newOwnerId,
      to: formerOwnerId,
      role,
      outcome,
      ...(isPending && { pending: true }),
    };
    await this.#record(tx, actor, site, 'site.ownership_returned', newOwnerId, details);
    await endRights(tx, siteId, newOwnerId, this.#options.clock);
    const about = { reader: 'former', outcome, newOwnerId, isPending } as const;
    await this.#mail(tx, site, formerOwnerId, caller.userId, about);
  }

  #mail(
    tx: Database,
    { id: siteId, organizationId }: LockedSite,
    userId: number,
    actorId: number,
    about: {
      readonly reader: 'new' | 'former';
      readonly outcome: 'accepted' | 'kept' | 'declined' | 'recalled';
      readonly newOwnerId: number;
      readonly isPending: boolean;
    },
  ): Promise<void> {
    const at = this.#now().toISOString();
    const job = { kind: 'transferEnded', userId, siteId, organizationId, actorId, at } as const;
    return this.#options.mail.enqueue(tx, { ...job, ...about });
  }

  #record(
    tx: Database,
    actor: Actor,
    { id: siteId, organizationId }: LockedSite,
    action: AuditAction,
    userId: number,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return recordAudit(tx, actor, this.#now(), { action, siteId, organizationId, userId, details });
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
