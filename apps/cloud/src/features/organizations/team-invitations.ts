import type { SiteRole, TeamInvitation } from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { actorOf, type Caller, requireSession } from '../../access/caller.ts';
import { type Actor, type AuditAction, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../mail/service.ts';
import type { EmployeeRepository, Employment } from './employee-repository.ts';
import { presentReceivedInvitation } from './present.ts';
import type { OrganizationRepository } from './repository.ts';
import type { PendingEmployee, TeamInvitationRepository } from './team-invitation-repository.ts';

/** How long an invitation can be accepted. */
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

/** Somebody whom an organization invites to its team. */
export interface TeamInvitee extends Employment {
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
  /** Whether a mail may go out about it: accounts without a password are mailed a link of their own. */
  readonly mailAllowed: boolean;
}

/** Invitations to work for organizations: nobody becomes an employee without having accepted one. */
export class TeamInvitations {
  readonly #parts: TeamInvitationOptions;

  constructor(parts: TeamInvitationOptions) {
    this.#parts = parts;
  }

  /** What the caller's account can accept, the newest first. @throws Forbidden unless it is a session */
  async received(caller: Caller): Promise<TeamInvitation[]> {
    requireSession(caller);
    const found = await this.#parts.invitations.received(caller, this.#now());
    return found.map((invitation) => presentReceivedInvitation(invitation, this.#parts.cloudUrl()));
  }

  /** Makes the caller an employee. @throws Forbidden unless it is a session; NotFound without an invitation */
  accept(caller: Caller, organizationId: number): Promise<void> {
    return this.#answer(caller, organizationId, async (tx, employment) => {
      const isAccepted = await this.#accept(tx, actorOf(caller), employment);
      if (!isAccepted) throw new NotFound();
    });
  }

  /** @throws Forbidden unless it is a session; NotFound without an invitation */
  decline(caller: Caller, organizationId: number): Promise<void> {
    return this.#answer(caller, organizationId, async (tx, employment) => {
      const role = await this.#parts.invitations.consume(tx, employment, this.#now());
      if (role === undefined) throw new NotFound();
      const details = { from: role, to: null };
      await this.#record(tx, actorOf(caller), 'organization_member.invitation_declined', employment, details);
    });
  }

  /** Whether an account has an invitation that it can accept. */
  async isInvited(employment: Employment): Promise<boolean> {
    return (await this.#parts.invitations.find(employment, this.#now())) !== undefined;
  }

  /**
   * Accepts as the account that sets its first password with the link of the invitation's mail. The organization is
   * locked, so this comes before the account is.
   *
   * @returns false when the invitation has ended
   */
  async acceptByLink(tx: Database, actor: Actor, employment: Employment): Promise<boolean> {
    await this.#parts.organizations.lock(tx, employment.organizationId);
    return this.#accept(tx, actor, employment);
  }

  /** Those of an organization that are not accepted yet. */
  pendingIn(organizationId: number): Promise<PendingEmployee[]> {
    return this.#parts.invitations.ofOrganization(organizationId, this.#now());
  }

  find(employment: Employment, tx: Database): Promise<PendingEmployee | undefined> {
    return this.#parts.invitations.find(employment, this.#now(), tx);
  }

  /** Invites, or renews an invitation. Part of a transaction that has the organization locked. */
  async invite(tx: Database, caller: Caller, invitee: TeamInvitee): Promise<PendingEmployee> {
    const { invitations } = this.#parts;
    const before = await this.find(invitee, tx);
    const createdAt = this.#now();
    const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
    const invitedBy = caller.userId || null;
    await invitations.upsert(tx, {
      ...invitee,
      // A renewed invitation without names keeps those of before.
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
    await this.#parts.invitations.setRole(tx, employment, role);
    const details = { from: before.role, to: role };
    await this.#record(tx, actorOf(caller), 'organization_member.invited', employment, details);
  }

  /** @returns whether there was an invitation */
  async withdraw(tx: Database, caller: Caller, employment: Employment): Promise<boolean> {
    const role = await this.#parts.invitations.consume(tx, employment, this.#now());
    if (role === undefined) return false;
    const details = { from: role, to: null };
    await this.#record(tx, actorOf(caller), 'organization_member.invitation_withdrawn', employment, details);
    return true;
  }

  /** Takes away an invitation that has become needless, without a record of its own. */
  async discard(tx: Database, employment: Employment): Promise<void> {
    await this.#parts.invitations.consume(tx, employment, this.#now());
  }

  #answer(
    caller: Caller,
    organizationId: number,
    work: (tx: Database, employment: Employment) => Promise<void>,
  ): Promise<void> {
    requireSession(caller);
    // Through a token of another organization the invitation is not there.
    if (caller.organizationId !== null && caller.organizationId !== organizationId) throw new NotFound();
    const { organizations } = this.#parts;
    return organizations.transaction(async (tx) => {
      await organizations.lock(tx, organizationId);
      await work(tx, { organizationId, userId: caller.userId });
    });
  }

  async #accept(tx: Database, actor: Actor, employment: Employment): Promise<boolean> {
    const { employees, invitations } = this.#parts;
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
    if (!(await this.#parts.invitations.markMailed(tx, { organizationId, userId }, at, notSince))) return;
    await this.#parts.mail.enqueue(tx, { kind: 'teamInvitation', userId, organizationId, invitedBy });
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
    return new Date(this.#parts.clock.now());
  }
}
