import type { SiteRole } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../tokens/policy.ts';

/** A site as a caller sees it. */
export interface SeenSite {
  /** The account's own role on the site. */
  readonly role: SiteRole | null;
  readonly organizationId: number | null;
}

/**
 * Who else may read a home is for those to know and to end whose home it is, and for operators; the organization that
 * looks after the site is one of those who read it.
 *
 * @throws Forbidden
 */
export function requireHousehold(caller: Caller, { role, organizationId }: SeenSite): void {
  const isStaff =
    caller.staff && (caller.organizationId === null || caller.organizationId === organizationId);
  if (role === 'owner' || role === 'admin' || isStaff) return;
  throw new Forbidden('Only owners and admins of the site may do this');
}
