import type { Scope } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';

/** Who is asking: the account behind a valid token, and what that token limits it to. */
export interface Caller {
  readonly userId: number;
  /** Operators of the service. */
  readonly staff: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** The organization the token belongs to: nothing outside it exists for the caller. */
  readonly organizationId: number | null;
  /** The one site that `sites:read_single` reads. */
  readonly siteId: number | null;
}

/** @throws Forbidden unless the caller's token has at least one of the scopes */
export function requireAnyScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.length === 0 || scopes.some((scope) => caller.scopes.has(scope))) return;
  throw new Forbidden(`The token lacks the scope ${scopes.join(' or ')}`);
}
