import type {
  AddOrganizationMemberBody,
  AuditAction,
  ChangeOrganizationMemberBody,
  OrganizationMember,
  SiteRole,
} from '@heliograph/contracts';
import { type Clock, Forbidden, NotFound } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { revokeTokensWithoutAccess } from '../../access/revoke-tokens-without-access.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { suspendLapsed } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import type { Admission, InvitationService } from '../invitations/service.ts';
import type { EmployeeRepository, Employment } from './employee-repository.ts';
import {
  isManager,
  type OrganizationPermissions,
  requireEmployee,
  requireManager,
  requireOwner,
} from './policy.ts';
import { presentEmployee, presentPendingEmployee } from './present.ts';
import type { OrganizationRepository } from './repository.ts';
import type { TeamInvitations } from './team-invitations.ts';

/** The employees of organizations, and their roles. */
export class Employees {
  readonly #organizations: OrganizationRepository;
  readonly #employees: EmployeeRepository;
  readonly #invitations: InvitationService;
  readonly #team: TeamInvitations;
  readonly #clock: Clock;

  constructor(
    organizations: OrganizationRepository,
    employees: EmployeeRepository,
    invitations: InvitationService,
    team: TeamInvitations,
    clock: Clock,
  ) {
    this.#organizations = organizations;
    this.#employees = employees;
    this.#invitations = invitations;
    this.#team = team;
    this.#clock = clock;
  }

  /** Owners first; for managers also the pending invitations. @throws NotFound; Forbidden */
  async list(caller: Caller, organizationId: number): Promise<OrganizationMember[]> {
    const { permissions } = orNotFound(await this.#organizations.findFor(caller, organizationId));
    requireEmployee(permissions);
    const employees = (await this.#employees.list(organizationId)).map(presentEmployee);
    if (!isManager(permissions)) return employees;
    return [...employees, ...(await this.#team.pendingIn(organizationId)).map(presentPendingEmployee)];
  }

  /**
   * Invites the account with the email address to the team, or gives an employee another role; creates the account if
   * there is none. The account becomes an employee when it accepts; an operator of the service makes it one at once.
   *
   * @throws NotFound; Forbidden; ValidationError when a new account has no names; SignInAgain;
   * TooManyRequests
   */
  async add(
    caller: Caller,
    organizationId: number,
    { email, role, first_name: firstName, last_name: lastName }: AddOrganizationMemberBody,
  ): Promise<OrganizationMember> {
    const admission = await this.#admit(caller, organizationId, email, role);
    return this.#organizations.withLockedOrganization(caller, organizationId, async (tx, found) => {
      const { permissions } = orNotFound(found);
      this.#requireMayAssign(caller, permissions, role);
      const invitee = { email, firstName, lastName };
      const destination = { organizationId, siteId: null, makesCustomer: false };
      const isMember = (userId: number) => this.#isEmployeeOrInvited(tx, { organizationId, userId });
      const account = await this.#invitations.accountOf(
        tx,
        caller,
        invitee,
        destination,
        admission,
        isMember,
      );
      const employment = { organizationId, userId: account.id };
      const employee = await this.#employees.find(employment, tx);
      if (employee !== undefined || permissions.staff) {
        await this.#assign(tx, caller, employment, permissions, employee?.role ?? null, role);
        return presentEmployee({ ...account, role });
      }
      await this.#requireInvitationRights(tx, permissions, employment);
      const pending = await this.#team.invite(tx, caller, {
        ...employment,
        firstName: firstName?.trim() ?? '',
        lastName: lastName?.trim() ?? '',
        role,
        // An account without a password is mailed the link that sets one, and accepts with it.
        mailAllowed: admission.mailAllowed && !account.pending,
      });
      return presentPendingEmployee(pending);
    });
  }

  /** @throws NotFound also for an account that does not work for it; Forbidden; SignInAgain */
  changeRole(
    caller: Caller,
    employment: Employment,
    { role }: ChangeOrganizationMemberBody,
  ): Promise<OrganizationMember> {
    return this.#organizations.withLockedOrganization(
      caller,
      employment.organizationId,
      async (tx, found) => {
        const { permissions } = orNotFound(found);
        this.#requireMayAssign(caller, permissions, role);
        const employee = await this.#employees.find(employment, tx);
        if (employee === undefined) return this.#changePending(tx, caller, permissions, employment, role);
        await this.#assign(tx, caller, employment, permissions, employee.role, role);
        return presentEmployee({ ...employee, role });
      },
    );
  }

  /**
   * Removes an employee and revokes the account's tokens of the organization, or withdraws an invitation. Every
   * employee but the last owner can leave.
   *
   * @throws NotFound also for an account that does not work for it; Forbidden
   */
  remove(caller: Caller, employment: Employment): Promise<void> {
    return this.#organizations.withLockedOrganization(
      caller,
      employment.organizationId,
      async (tx, found) => {
        const { permissions } = orNotFound(found);
        const isLeaving = employment.userId === caller.userId && permissions.role !== null;
        if (!isLeaving) requireManager(permissions);
        const employee = await this.#employees.find(employment, tx);
        if (employee === undefined) {
          await this.#requireInvitationRights(tx, permissions, employment);
          if (!(await this.#team.withdraw(tx, caller, employment))) throw new NotFound();
          return;
        }
        const { role } = employee;
        if (role === 'owner') await this.#requireSuccessor(tx, permissions, employment.organizationId);
        await this.#employees.remove(tx, employment);
        // Dated after the removal, which waits for site tokens that are being issued: none may be newer.
        const at = new Date(this.#clock.now());
        await revokeSiteAccess(tx, employment, at);
        // As a customer or through a site the account may still sign in to the organization.
        const revoked = await revokeTokensWithoutAccess(tx, employment, this.#clock, ['api']);
        await suspendLapsed(tx, [employment.userId], { clock: this.#clock });
        const details = { from: role, to: null, revoked_tokens: revoked };
        await this.#record(tx, caller, employment, 'organization_member.removed', details);
      },
    );
  }

  /** Owners are appointed by owners with a fresh session: the new owner has all their rights, and outlasts the session. */
  #requireMayAssign(caller: Caller, permissions: OrganizationPermissions, role: SiteRole): void {
    requireManager(permissions);
    if (role !== 'owner') return;
    requireOwner(permissions);
    requireFreshSignIn(caller, this.#clock.now());
  }

  /** Refuses before any limit is counted. A change of an existing employee's role does not count. */
  async #admit(caller: Caller, organizationId: number, email: string, role: SiteRole): Promise<Admission> {
    this.#requireMayAssign(
      caller,
      orNotFound(await this.#organizations.findFor(caller, organizationId)).permissions,
      role,
    );
    const account = await this.#invitations.find(email);
    if (account !== undefined && !account.pending) {
      const employee = await this.#employees.find({ organizationId, userId: account.id });
      if (employee !== undefined) return { mailAllowed: false };
    }
    return this.#invitations.admit(caller, email, { siteId: null, organizationId });
  }

  async #isEmployeeOrInvited(tx: Database, employment: Employment): Promise<boolean> {
    if ((await this.#employees.find(employment, tx)) !== undefined) return true;
    return (await this.#team.find(employment, tx)) !== undefined;
  }

  /** Only owners create, change and withdraw the invitation of an owner. @throws Forbidden */
  async #requireInvitationRights(
    tx: Database,
    permissions: OrganizationPermissions,
    employment: Employment,
  ): Promise<void> {
    if ((await this.#team.find(employment, tx))?.role === 'owner') requireOwner(permissions);
  }

  async #changePending(
    tx: Database,
    caller: Caller,
    permissions: OrganizationPermissions,
    employment: Employment,
    role: SiteRole,
  ): Promise<OrganizationMember> {
    await this.#requireInvitationRights(tx, permissions, employment);
    const pending = orNotFound(await this.#team.find(employment, tx));
    await this.#team.changeRole(tx, caller, employment, role);
    return presentPendingEmployee({ ...pending, role });
  }

  async #assign(
    tx: Database,
    caller: Caller,
    employment: Employment,
    permissions: OrganizationPermissions,
    from: SiteRole | null,
    to: SiteRole,
  ): Promise<void> {
    if (from === to) return;
    if (from === 'owner') await this.#requireSuccessor(tx, permissions, employment.organizationId);
    const at = new Date(this.#clock.now());
    if (from === null) await this.#team.discard(tx, employment);
    await this.#employees.setRole(tx, employment, to, at);
    if (to === 'member') await suspendLapsed(tx, [employment.userId], { clock: this.#clock });
    const action = from === null ? 'organization_member.added' : 'organization_member.changed';
    await this.#record(tx, caller, employment, action, { from, to });
  }

  /** Required before an owner loses the role. @throws Forbidden */
  async #requireSuccessor(
    tx: Database,
    permissions: OrganizationPermissions,
    organizationId: number,
  ): Promise<void> {
    requireOwner(permissions);
    if ((await this.#employees.owners(tx, organizationId)).length > 1) return;
    throw new Forbidden('The last owner cannot leave: make another person an owner first');
  }

  #record(
    tx: Database,
    caller: Caller,
    { organizationId, userId }: Employment,
    action: AuditAction,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const event = { action, organizationId, userId, details };
    return recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), event);
  }
}

/**
 * Revokes site tokens of a former employee, for every site of the organization or shared with it but those that the
 * account owns or has a role on.
 */
async function revokeSiteAccess(
  tx: Database,
  { organizationId, userId }: Employment,
  at: Date,
): Promise<void> {
  // Of a large organization an employee has authorized few sites, and each revocation makes a device call.
  const lost = sql`select distinct sites.id as site_id, ${userId}::integer as user_id
    from site_token_sources as issued join sites on sites.id = issued.site_id
    where issued.user_id = ${userId}
    and (sites.organization_id = ${organizationId} or exists (select from organization_sites as shared
      where shared.site_id = sites.id and shared.organization_id = ${organizationId}))
    and sites.owner_id <> ${userId}
    and not exists (select from site_members where site_id = sites.id and user_id = ${userId})`;
  await revokeSiteTokensOfUsers(tx, lost, at);
}
