import { SCOPES } from '@heliograph/contracts';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isApplicationId } from './applications/service.ts';

/** It lets an agent call no tool. */
const IDENTITY_SCOPE = 'openid';

/**
 * Settles the scope of a request. Without the parameter, as older agents send it, it is for all that the client may have
 * (RFC 6749, 3.3). A scope that the client may not have is refused. Agents request scopes that there are not as well, such as
 * `email`, `profile` and `offline_access`: these are left out (OpenID Connect Core, 3.1.2.1), and an agent that requests no
 * scope of tools gets all that it may have. For an application a scope that there is not is refused, where the server alone
 * would drop it.
 *
 * @throws errors.InvalidScope
 */
export function settleScope(
  { query, oidc }: KoaContextWithOIDC,
  client: { readonly clientId: string; readonly scope?: string | undefined },
): void {
  const allowed = (client.scope ?? '').split(' ');
  const requested = (typeof query.scope === 'string' ? query.scope : '').split(' ').filter(Boolean);
  const known = requested.filter((scope) => allowed.includes(scope));
  const isAgent = !isApplicationId(client.clientId);
  const refused = requested.find(
    (scope) => !allowed.includes(scope) && !(isAgent && !Object.hasOwn(SCOPES, scope)),
  );
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused);
  const isForNothing = isAgent ? known.every((scope) => scope === IDENTITY_SCOPE) : known.length === 0;
  if (oidc.params !== undefined) oidc.params.scope = (isForNothing ? allowed : known).join(' ');
}
