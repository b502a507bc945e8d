import type { SiteRole } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** The caller's relation to an organization, which decides on its rights. */
export interface OrganizationPermissions {
  /** The account's role as an employee; null for other accounts, customers included. */
  readonly role: SiteRole | null;
  /** Whether the caller acts as an operator of the service. */
  readonly staff: boolean;
}

/**
 * Organizations are public, so their existence is no secret; but with a token of another organization an account has
 * no role in it.
 *
 * @param role the account's role as an employee
 */
export function organizationPermissions(
  { organizationId, staff }: Caller,
  organization: number,
  role: SiteRole | null,
): OrganizationPermissions {
  const outside = organizationId !== null && organizationId !== organization;
  return outside ? { role: null, staff: false } : { role, staff };
}

/** Employees see the other employees. @throws Forbidden */
export function requireEmployee({ role, staff }: OrganizationPermissions): void {
  if (role === null && !staff) throw new Forbidden('Only people of the organization may see this');
}

export function isManager({ role, staff }: OrganizationPermissions): boolean {
  return role === 'owner' || role === 'admin' || staff;
}

/** @throws Forbidden */
export function requireManager(permissions: OrganizationPermissions): void {
  if (isManager(permissions)) return;
  throw new Forbidden('Only owners and admins of the organization may do this');
}

/** Only owners appoint and remove owners, so that no admin can exceed their own rights. @throws Forbidden */
export function requireOwner({ role, staff }: OrganizationPermissions): void {
  if (role === 'owner' || staff) return;
  throw new Forbidden('Only an owner of the organization may appoint or remove owners');
}

/** For those who close an organization. @throws Forbidden */
export function requireCloser({ role, staff }: OrganizationPermissions): void {
  if (role === 'owner' || staff) return;
  throw new Forbidden('Only an owner of the organization may close it');
}

/** @throws Forbidden also for an operator whose token is limited to one organization */
export function requireOperator({ staff, organizationId }: Caller): void {
  if (!staff || organizationId !== null) throw new Forbidden('Only operators of the service may do this');
}

/**
 * Operators list all organizations, employees their employers. An application with access to one site gets none, as
 * its user's employers are none of its data.
 */
export function listScope({ staff, kind }: Caller): 'all' | 'own' | 'none' {
  if (kind === 'oauth') return 'none';
  return staff ? 'all' : 'own';
}
