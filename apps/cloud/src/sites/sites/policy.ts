import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** Staff see the newest sites first; everyone else finds theirs by name. */
export function listOrder(caller: Caller): 'newest' | 'name' {
  return caller.staff ? 'newest' : 'name';
}

/** Access by a support recovery session. */
export const RECOVERY_ROLE = 'recovery';

/**
 * No account has a grant for SSH: devices are accessible through their API only. Unknown role names are ignored, as
 * they request nothing.
 *
 * @throws Forbidden
 */
export function requireGrantable(roles: readonly string[], { scopes }: Pick<Caller, 'scopes'>): void {
  if (roles.includes(RECOVERY_ROLE) && !(scopes.has('sites:read_all') && scopes.has('sites:recover_all')))
    throw new Forbidden('The token lacks the scopes sites:read_all and sites:recover_all');
  if (roles.includes('ssh')) throw new Forbidden('SSH access to this site is not available');
}
