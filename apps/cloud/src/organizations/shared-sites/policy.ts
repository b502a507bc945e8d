import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/**
 * The organization that a site is shared with: that of the application with the token.
 *
 * @throws Forbidden for every other kind of token
 */
export function requireSharingOrganization({ kind, applicationOrganizationId }: Caller): number {
  if (kind !== 'oauth' || applicationOrganizationId === null) {
    throw new Forbidden(
      "Only an organization's application may do this, with the token of a user who consented",
    );
  }
  return applicationOrganizationId;
}

/** An operator's token of an organization is accepted too. @throws Forbidden */
export function requireStaff({ staff }: Caller): void {
  if (!staff) throw new Forbidden('Only operators of the service may do this');
}
