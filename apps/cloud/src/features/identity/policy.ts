import type { Scope } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';

/** What counts of a program that asks who somebody is. */
export interface IdentityClient {
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly organizationId: number | null;
  readonly scopes: readonly Scope[];
}

/**
 * Whether a session may be exchanged for an id_token for a program: for an organization's application that was made to
 * learn who somebody is, but not for one outside the organization that the session is restricted to.
 */
export function canReceiveIdentity(
  { organizationId }: Pick<Caller, 'organizationId'>,
  client: IdentityClient,
): boolean {
  if (client.kind === 'agent' || !client.scopes.includes('openid')) return false;
  return organizationId === null || organizationId === client.organizationId;
}
