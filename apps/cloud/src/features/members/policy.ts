import type { SiteRole } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';

/** What a caller is to a site that it sees. */
export interface Standing {
  /** The account's own role on the site; null for operators and for employees who have none. */
  readonly role: SiteRole | null;
  readonly staff: boolean;
  /** Owner or admin of the organization that the site belongs to. */
  readonly managesOrganization: boolean;
}

/**
 * Who manages a site: its owner and admins; the owner and admins of its organization, for installers look after
 * their customers' sites; operators of the service.
 */
export function isManager({ role, staff, managesOrganization }: Standing): boolean {
  return role === 'owner' || role === 'admin' || managesOrganization || staff;
}

/** @throws Forbidden */
export function requireManager(standing: Standing): void {
  if (!isManager(standing)) throw new Forbidden('Only owners and admins of the site may do this');
}

/** @throws Forbidden unless the caller may make somebody else the owner, as only the owner and operators may */
export function requireOwner({ role, staff }: Standing): void {
  if (role !== 'owner' && !staff) throw new Forbidden('Only the owner of the site may hand it over');
}
