import { Forbidden, NotFound } from '@heliograph/kit';
import { type Reach, requireManaged } from '../devices/policy.ts';

/**
 * Codes are made, listed and withdrawn by operators and by the organization's owner and admins.
 *
 * @param organizationId null for the codes of the service itself, which are the operators'
 * @param exists whether there is such an organization; whether there is one is no secret
 * @throws NotFound; Forbidden
 */
export function requireCodeManager(reach: Reach, organizationId: number | null, exists: boolean): void {
  if (!exists) throw new NotFound();
  requireManaged(reach, organizationId);
}

/** Who waits is for those to read and to decline who may decide. @throws Forbidden */
export function requireDecider({ everything, managed }: Reach): void {
  if (everything || managed.length > 0) return;
  throw new Forbidden('Only operators and the admins of an organization may do this');
}
