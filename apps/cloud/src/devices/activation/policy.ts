import { Forbidden, NotFound } from '@heliograph/kit';
import { type Reach, requireManaged } from '../devices/policy.ts';

/**
 * Codes are created, listed and revoked by operators and by the organization's owners and admins.
 *
 * @param organizationId null for the codes of the service itself, which are the operators'
 * @param exists whether there is such an organization, which is no secret
 * @throws NotFound; Forbidden
 */
export function requireCodeManager(reach: Reach, organizationId: number | null, exists: boolean): void {
  if (!exists) throw new NotFound();
  requireManaged(reach, organizationId);
}

/** Only accounts that can activate devices read and decline requests. @throws Forbidden */
export function requireDecider({ everything, managed }: Reach): void {
  if (everything || managed.length > 0) return;
  throw new Forbidden('Only operators and the admins of an organization may do this');
}
