import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../tokens/policy.ts';

/**
 * Operators read every record, unless their token belongs to one organization.
 *
 * @throws Forbidden for everybody else
 */
export function requireStaff({ staff, organizationId }: Caller): void {
  if (!staff || organizationId !== null) throw new Forbidden('Only operators of the service may read this');
}
