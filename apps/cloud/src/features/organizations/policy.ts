import type { SiteRole } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** What a caller is to an organization. */
export interface OrganizationPermissions {
  /** The account's role as an employee; null for everybody else, its customers among them. */
  readonly role: SiteRole | null;
  /** Whether it acts as an operator of the service. */
  readonly staff: boolean;
}

/**
 * An organization is public, so nobody is told that it does not exist; but through a token of another one an
 * account is nobody in it, whatever it is otherwise.
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

/** Whoever works for an organization sees who else does. @throws Forbidden */
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

/** Nobody rises above who made them: owners are made and unmade by owners. @throws Forbidden */
export function requireOwner({ role, staff }: OrganizationPermissions): void {
  if (role === 'owner' || staff) return;
  throw new Forbidden('Only an owner of the organization may make somebody an owner, or take that away');
}

/** @throws Forbidden also for an operator whose token is limited to one organization */
export function requireOperator({ staff, organizationId }: Caller): void {
  if (!staff || organizationId !== null) throw new Forbidden('Only operators of the service may do this');
}

/**
 * Whose organizations a caller lists: operators all, employees their employers. An application that was given one
 * site learns nothing of where its user works.
 */
export function listScope({ staff, kind }: Caller): 'all' | 'own' | 'none' {
  if (kind === 'oauth') return 'none';
  return staff ? 'all' : 'own';
}
