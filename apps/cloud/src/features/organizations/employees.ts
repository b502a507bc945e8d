import type {
  AddOrganizationMemberBody,
  ChangeOrganizationMemberBody,
  OrganizationMember,
  SiteRole,
} from '@heliograph/contracts';
import { type Clock, Forbidden, NotFound } from '@heliograph/kit';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type AuditAction, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
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

/** Who works for an organization, and as what. */
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

  /** Everyone who works for it, the owners first; to who manages it, those who are invited besides. @throws NotFound; Forbidden */
  async list(caller: Caller, organizationId: number): Promise<OrganizationMember[]> {
    const { permissions } = orNotFound(await this.#organizations.findFor(caller, organizationId));
    requireEmployee(permissions);
    const employees = (await this.#employees.list(organizationId)).map(presentEmployee);
    if (!isManager(permissions)) return employees;
    return [...employees, ...(await this.#team.pendingIn(organizationId)).map(presentPendingEmployee)];
  }

  /**
   * Invites whoever has the email address to the team, or gives an employee another role; makes the account if there
   * is none. The account becomes an employee when it accepts; an operator of the service makes it one at once.
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
      const isMember = (userId: number) => this.#takesPart(tx, { organizationId, userId });
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
      await this.#requireReach(tx, permissions, employment);
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
   * Ends somebody's work for the organization, and with it what the account's tokens of the organization were good
   * for; or withdraws an invitation. Everyone may leave but the last owner.
   *
   * @throws NotFound also for an account that does not work for it; Forbidden
   */
  remove(caller: Caller, employment: Employment): Promise<void> {
    return this.#organizations.withLockedOrganization(
      caller,
      employment.organizationId,
      async (tx, found) => {
        const { permissions } = orNotFound(found);
        const leaves = employment.userId === caller.userId && permissions.role !== null;
        if (!leaves) requireManager(permissions);
        const employee = await this.#employees.find(employment, tx);
        if (employee === undefined) {
          await this.#requireReach(tx, permissions, employment);
          if (!(await this.#team.withdraw(tx, caller, employment))) throw new NotFound();
          return;
        }
        const { role } = employee;
        if (role === 'owner') await this.#requireSuccessor(tx, permissions, employment.organizationId);
        await this.#employees.remove(tx, employment);
        // Not before: it waits for site tokens that are being issued, and these must not be the newer ones.
        const at = new Date(this.#clock.now());
        await this.#employees.revokeSiteAccess(tx, employment, at);
        const revoked = await this.#employees.revokeTokens(tx, employment, this.#clock);
        const details = { from: role, to: null, revoked_tokens: revoked };
        await this.#record(tx, caller, employment, 'organization_member.removed', details);
      },
    );
  }

  /** An owner is made by owners, whose session is fresh: it can do all that they can, and outlasts it. */
  #requireMayAssign(caller: Caller, permissions: OrganizationPermissions, role: SiteRole): void {
    requireManager(permissions);
    if (role !== 'owner') return;
    requireOwner(permissions);
    requireFreshSignIn(caller, this.#clock.now());
  }

  /** What can be refused is refused before anything is counted. A role of somebody who has one costs nothing. */
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
    return this.#invitations.admit(caller, email);
  }

  /** Whether an account is an employee or invited to be one. */
  async #takesPart(tx: Database, employment: Employment): Promise<boolean> {
    if ((await this.#employees.find(employment, tx)) !== undefined) return true;
    return (await this.#team.find(employment, tx)) !== undefined;
  }

  /** An invitation to be an owner is made, changed and withdrawn by owners. @throws Forbidden */
  async #requireReach(
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
    await this.#requireReach(tx, permissions, employment);
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
    const action = from === null ? 'organization_member.added' : 'organization_member.changed';
    await this.#record(tx, caller, employment, action, { from, to });
  }

  /** Before an owner ceases to be one. @throws Forbidden */
  async #requireSuccessor(
    tx: Database,
    permissions: OrganizationPermissions,
    organizationId: number,
  ): Promise<void> {
    requireOwner(permissions);
    if ((await this.#employees.ownerCount(tx, organizationId)) > 1) return;
    throw new Forbidden('The last owner stays: make somebody else an owner first');
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
