import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** Staff see the newest sites first; everyone else finds theirs by name. */
export function listOrder(caller: Caller): 'newest' | 'name' {
  return caller.staff ? 'newest' : 'name';
}

/**
 * Nobody has a grant for SSH: there is no way in to a device but its API. Role names that nobody knows are passed
 * over, as they ask for nothing.
 *
 * @throws Forbidden
 */
export function requireGrantable(roles: readonly string[]): void {
  if (roles.includes('ssh')) throw new Forbidden('Nobody may have SSH access to this site');
}
