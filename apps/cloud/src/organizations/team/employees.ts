import type { AuditAction, OrganizationMember, SiteRole } from '@heliograph/contracts';
import { Forbidden, NotFound } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { revokeTokensWithoutAccess } from '../../access/revoke-tokens-without-access.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { suspendLapsed } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { slicePage } from '../../db/page.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { type Admission, admitInvitation, invitedAccount } from '../invitations/invitations.ts';
import { findInvited } from '../invitations/rows.ts';
import {
  isManager,
  type OrganizationPermissions,
  requireEmployee,
  requireManager,
  requireOwner,
} from '../organizations/policy.ts';
import { findOrganizationFor, ownersOf, withLockedOrganization } from '../organizations/rows.ts';
import { type Employment, employeesOf, findEmployee, removeEmployee, setRole } from './employee-rows.ts';
import { presentEmployee, presentPendingEmployee } from './present.ts';
import {
  changeInvitation,
  discardInvitation,
  findInvitation,
  pendingEmployees,
  storeTeamInvitation,
  withdrawInvitation,
} from './team-invitations.ts';

/** Owners first; for managers also the pending invitations. @throws NotFound; Forbidden */
export async function listOrganizationMembers(
  platform: Platform,
  caller: Caller,
  { params: { id: organizationId }, query }: InputOf<'listOrganizationMembers'>,
): Promise<OrganizationMember[]> {
  return slicePage(await membersOf(platform, caller, organizationId), query);
}

/** @throws as `listOrganizationMembers` */
export async function membersOf(
  platform: Platform,
  caller: Caller,
  organizationId: number,
): Promise<OrganizationMember[]> {
  const { permissions } = await findOrganizationFor(platform.db, caller, organizationId);
  requireEmployee(permissions);
  const employees = (await employeesOf(platform.db, organizationId)).map(presentEmployee);
  if (!isManager(permissions)) return employees;
  return [...employees, ...(await pendingEmployees(platform, organizationId)).map(presentPendingEmployee)];
}

/**
 * Invites the account with the email address to the team, or gives an employee another role; creates the account if
 * there is none. The account becomes an employee when it accepts; an operator of the service makes it one at once.
 *
 * @throws NotFound; Forbidden; ValidationError when a new account has no names; SignInAgain;
 * TooManyRequests
 */
export async function addOrganizationMember(
  platform: Platform,
  caller: Caller,
  { params: { id: organizationId }, body }: InputOf<'addOrganizationMember'>,
): Promise<OrganizationMember> {
  const { email, role, first_name: firstName, last_name: lastName } = body;
  const admission = await admit(platform, caller, organizationId, email, role);
  return withLockedOrganization(platform.db, caller, organizationId, async (tx, { permissions }) => {
    requireMayAssign(platform, caller, permissions, role);
    const invitee = { email, firstName, lastName };
    const destination = { organizationId, siteId: null, makesCustomer: false };
    const isMember = (userId: number) => isEmployeeOrInvited(platform, tx, { organizationId, userId });
    const account = await invitedAccount(platform, tx, caller, invitee, destination, admission, isMember);
    const employment = { organizationId, userId: account.id };
    const employee = await findEmployee(tx, employment);
    if (employee !== undefined || permissions.staff) {
      await assign(platform, tx, caller, employment, permissions, employee?.role ?? null, role);
      return presentEmployee({ ...account, role });
    }
    await requireInvitationRights(platform, tx, permissions, employment);
    const pending = await storeTeamInvitation(platform, tx, caller, {
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
export function updateOrganizationMember(
  platform: Platform,
  caller: Caller,
  { params, body: { role } }: InputOf<'updateOrganizationMember'>,
): Promise<OrganizationMember> {
  const employment = employmentOf(params);
  return withLockedOrganization(
    platform.db,
    caller,
    employment.organizationId,
    async (tx, { permissions }) => {
      requireMayAssign(platform, caller, permissions, role);
      const employee = await findEmployee(tx, employment);
      if (employee === undefined) return changePending(platform, tx, caller, permissions, employment, role);
      await assign(platform, tx, caller, employment, permissions, employee.role, role);
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
export function removeOrganizationMember(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'removeOrganizationMember'>,
): Promise<void> {
  const employment = employmentOf(params);
  return withLockedOrganization(
    platform.db,
    caller,
    employment.organizationId,
    async (tx, { permissions }) => {
      const isLeaving = employment.userId === caller.userId && permissions.role !== null;
      if (!isLeaving) requireManager(permissions);
      const employee = await findEmployee(tx, employment);
      if (employee === undefined) {
        await requireInvitationRights(platform, tx, permissions, employment);
        if (!(await withdrawInvitation(platform, tx, caller, employment))) throw new NotFound();
        return;
      }
      const { role } = employee;
      if (role === 'owner') await requireSuccessor(tx, permissions, employment.organizationId);
      await removeEmployee(tx, employment);
      // Dated after the removal, which waits for site tokens that are being issued: none may be newer.
      const at = new Date(platform.clock.now());
      await revokeSiteAccess(tx, employment, at);
      // As a customer or through a site the account may still sign in to the organization.
      const revoked = await revokeTokensWithoutAccess(tx, employment, platform.clock, ['api']);
      await suspendLapsed(tx, [employment.userId], { clock: platform.clock });
      const details = { from: role, to: null, revoked_tokens: revoked };
      await record(platform, tx, caller, employment, 'organization_member.removed', details);
    },
  );
}

/** Owners are appointed by owners with a fresh session: the new owner has all their rights, and outlasts the session. */
function requireMayAssign(
  platform: Platform,
  caller: Caller,
  permissions: OrganizationPermissions,
  role: SiteRole,
): void {
  requireManager(permissions);
  if (role !== 'owner') return;
  requireOwner(permissions);
  requireFreshSignIn(caller, platform.clock.now());
}

/** Refuses before any limit is counted. A change of an existing employee's role does not count. */
async function admit(
  platform: Platform,
  caller: Caller,
  organizationId: number,
  email: string,
  role: SiteRole,
): Promise<Admission> {
  requireMayAssign(
    platform,
    caller,
    (await findOrganizationFor(platform.db, caller, organizationId)).permissions,
    role,
  );
  const account = await findInvited(platform.db, email);
  if (account !== undefined && !account.pending) {
    const employee = await findEmployee(platform.db, { organizationId, userId: account.id });
    if (employee !== undefined) return { mailAllowed: false };
  }
  return admitInvitation(platform, caller, email, { siteId: null, organizationId });
}

async function isEmployeeOrInvited(
  platform: Platform,
  tx: Database,
  employment: Employment,
): Promise<boolean> {
  if ((await findEmployee(tx, employment)) !== undefined) return true;
  return (await findInvitation(platform, tx, employment)) !== undefined;
}

/** Only owners create, change and withdraw the invitation of an owner. @throws Forbidden */
async function requireInvitationRights(
  platform: Platform,
  tx: Database,
  permissions: OrganizationPermissions,
  employment: Employment,
): Promise<void> {
  if ((await findInvitation(platform, tx, employment))?.role === 'owner') requireOwner(permissions);
}

async function changePending(
  platform: Platform,
  tx: Database,
  caller: Caller,
  permissions: OrganizationPermissions,
  employment: Employment,
  role: SiteRole,
): Promise<OrganizationMember> {
  await requireInvitationRights(platform, tx, permissions, employment);
  const pending = orNotFound(await findInvitation(platform, tx, employment));
  await changeInvitation(platform, tx, caller, employment, role);
  return presentPendingEmployee({ ...pending, role });
}

async function assign(
  platform: Platform,
  tx: Database,
  caller: Caller,
  employment: Employment,
  permissions: OrganizationPermissions,
  from: SiteRole | null,
  to: SiteRole,
): Promise<void> {
  if (from === to) return;
  if (from === 'owner') await requireSuccessor(tx, permissions, employment.organizationId);
  const at = new Date(platform.clock.now());
  if (from === null) await discardInvitation(platform, tx, employment);
  await setRole(tx, employment, to, at);
  if (to === 'member') await suspendLapsed(tx, [employment.userId], { clock: platform.clock });
  const action = from === null ? 'organization_member.added' : 'organization_member.changed';
  await record(platform, tx, caller, employment, action, { from, to });
}

/** Required before an owner loses the role. @throws Forbidden */
async function requireSuccessor(
  tx: Database,
  permissions: OrganizationPermissions,
  organizationId: number,
): Promise<void> {
  requireOwner(permissions);
  if ((await ownersOf(tx, organizationId)).length > 1) return;
  throw new Forbidden('The last owner cannot leave: make another person an owner first');
}

function record(
  platform: Platform,
  tx: Database,
  caller: Caller,
  { organizationId, userId }: Employment,
  action: AuditAction,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const event = { action, organizationId, userId, details };
  return recordAudit(tx, actorOf(caller), new Date(platform.clock.now()), event);
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

function employmentOf({ id, user_id: userId }: InputOf<'removeOrganizationMember'>['params']): Employment {
  return { organizationId: id, userId };
}
