import { Forbidden } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** Staff see the newest sites first; everyone else finds theirs by name. */
export function listOrder(caller: Caller): 'newest' | 'name' {
  return caller.staff ? 'newest' : 'name';
}

/**
 * No account has a grant for SSH: devices are accessible through their API only. Unknown role names are ignored, as
 * they request nothing.
 *
 * @throws Forbidden
 */
export function requireGrantable(roles: readonly string[]): void {
  if (roles.includes('ssh')) throw new Forbidden('Nobody may have SSH access to this site');
}
