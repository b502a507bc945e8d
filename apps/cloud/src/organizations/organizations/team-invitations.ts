import type { AuditAction, SiteRole, TeamInvitation } from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { actorOf, type Caller, requireSession } from '../../access/caller.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { EmployeeRepository, Employment } from './employee-repository.ts';
import { presentReceivedInvitation } from './present.ts';
import type { OrganizationRepository } from './repository.ts';
import type { PendingEmployee, TeamInvitationRepository } from './team-invitation-repository.ts';

const INVITATION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;

/** Shortest time between two mails about one invitation. */
const MAIL_GAP_MS = 5 * 60 * 1000;

export interface TeamInvitationOptions {
  readonly organizations: OrganizationRepository;
  readonly employees: EmployeeRepository;
  readonly invitations: TeamInvitationRepository;
  readonly mail: MailService;
  readonly clock: Clock;
  readonly cloudUrl: () => string;
}

/** An account that an organization invites to its team. */
export interface TeamInvitee extends Employment {
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
  /** Whether to send a mail: accounts without a password get another one, with a link of their own. */
  readonly mailAllowed: boolean;
}

/** Invitations to teams of organizations: an account becomes an employee only by accepting one. */
export class TeamInvitations {
  readonly #options: TeamInvitationOptions;

  constructor(options: TeamInvitationOptions) {
    this.#options = options;
  }

  /** Invitations of the caller's account, the newest first. @throws Forbidden unless it is a session */
  async received(caller: Caller): Promise<TeamInvitation[]> {
    requireSession(caller);
    const found = await this.#options.invitations.received(caller, this.#now());
    return found.map((invitation) => presentReceivedInvitation(invitation, this.#options.cloudUrl()));
  }

  /** Makes the caller an employee. @throws Forbidden unless it is a session; NotFound without an invitation */
  accept(caller: Caller, organizationId: number): Promise<void> {
    return this.#respond(caller, organizationId, async (tx, employment) => {
      const isAccepted = await this.#accept(tx, actorOf(caller), employment);
      if (!isAccepted) throw new NotFound();
    });
  }

  /** @throws Forbidden unless it is a session; NotFound without an invitation */
  decline(caller: Caller, organizationId: number): Promise<void> {
    return this.#respond(caller, organizationId, async (tx, employment) => {
      const role = await this.#options.invitations.consume(tx, employment, this.#now());
      if (role === undefined) throw new NotFound();
      const details = { from: role, to: null };
      await this.#record(tx, actorOf(caller), 'organization_member.invitation_declined', employment, details);
    });
  }

  async isInvited(employment: Employment): Promise<boolean> {
    return (await this.#options.invitations.find(employment, this.#now())) !== undefined;
  }

  /**
   * Accepts for the account that sets its first password with the link of the invitation's mail. Locks the
   * organization, so it is called before the account is locked.
   *
   * @returns false when the invitation has expired or was withdrawn
   */
  async acceptByLink(tx: Database, actor: Actor, employment: Employment): Promise<boolean> {
    await this.#options.organizations.lock(tx, employment.organizationId);
    return this.#accept(tx, actor, employment);
  }

  pendingIn(organizationId: number): Promise<PendingEmployee[]> {
    return this.#options.invitations.ofOrganization(organizationId, this.#now());
  }

  find(employment: Employment, tx: Database): Promise<PendingEmployee | undefined> {
    return this.#options.invitations.find(employment, this.#now(), tx);
  }

  /** Invites, or renews an invitation. Part of a transaction that has the organization locked. */
  async invite(tx: Database, caller: Caller, invitee: TeamInvitee): Promise<PendingEmployee> {
    const { invitations } = this.#options;
    const before = await this.find(invitee, tx);
    const createdAt = this.#now();
    const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
    const invitedBy = caller.userId || null;
    await invitations.upsert(tx, {
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
      await this.#record(tx, actorOf(caller), 'organization_member.invited', invitee, details);
    }
    if (invitee.mailAllowed) await this.#mail(tx, invitee, invitedBy);
    const pending = await this.find(invitee, tx);
    if (pending === undefined) throw new Error('An invitation that was just made is there');
    return pending;
  }

  async changeRole(tx: Database, caller: Caller, employment: Employment, role: SiteRole): Promise<void> {
    const before = await this.find(employment, tx);
    if (before === undefined || before.role === role) return;
    await this.#options.invitations.setRole(tx, employment, role);
    const details = { from: before.role, to: role };
    await this.#record(tx, actorOf(caller), 'organization_member.invited', employment, details);
  }

  /** @returns whether there was an invitation */
  async withdraw(tx: Database, caller: Caller, employment: Employment): Promise<boolean> {
    const role = await this.#options.invitations.consume(tx, employment, this.#now());
    if (role === undefined) return false;
    const details = { from: role, to: null };
    await this.#record(tx, actorOf(caller), 'organization_member.invitation_withdrawn', employment, details);
    return true;
  }

  /** Deletes the invitation of an account that became an employee otherwise, without a record of its own. */
  async discard(tx: Database, employment: Employment): Promise<void> {
    await this.#options.invitations.consume(tx, employment, this.#now());
  }

  #respond(
    caller: Caller,
    organizationId: number,
    work: (tx: Database, employment: Employment) => Promise<void>,
  ): Promise<void> {
    requireSession(caller);
    // With a token of another organization the invitation does not exist.
    if (caller.organizationId !== null && caller.organizationId !== organizationId) throw new NotFound();
    const { organizations } = this.#options;
    return organizations.transaction(async (tx) => {
      await organizations.lock(tx, organizationId);
      await work(tx, { organizationId, userId: caller.userId });
    });
  }

  async #accept(tx: Database, actor: Actor, employment: Employment): Promise<boolean> {
    const { employees, invitations } = this.#options;
    const at = this.#now();
    const role = await invitations.consume(tx, employment, at);
    if (role === undefined) return false;
    await employees.setRole(tx, employment, role, at);
    const details = { from: null, to: role, accepted: true };
    await this.#record(tx, actor, 'organization_member.added', employment, details);
    return true;
  }

  async #mail(tx: Database, { organizationId, userId }: Employment, invitedBy: number | null): Promise<void> {
    const at = this.#now();
    const notSince = new Date(at.getTime() - MAIL_GAP_MS);
    if (!(await this.#options.invitations.markMailed(tx, { organizationId, userId }, at, notSince))) return;
    await this.#options.mail.enqueue(tx, { kind: 'teamInvitation', userId, organizationId, invitedBy });
  }

  #record(
    tx: Database,
    actor: Actor,
    action: AuditAction,
    { organizationId, userId }: Employment,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return recordAudit(tx, actor, this.#now(), { action, organizationId, userId, details });
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
