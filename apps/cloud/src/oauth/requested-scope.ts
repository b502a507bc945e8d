import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isApplicationId } from '../features/applications/service.ts';

/**
 * Agents request it whether or not the server has refresh tokens, and work without one. The server drops it.
 */
const REFRESH_TOKEN_SCOPE = 'offline_access';

/**
 * A scope that there is not is refused like one that the client was not registered with: the server alone would drop
 * it. A request without the parameter, as older agents send it, is for all that the client may have (RFC 6749, 3.3).
 *
 * @throws errors.InvalidScope
 */
export function settleScope(
  { query, oidc }: KoaContextWithOIDC,
  client: { readonly clientId: string; readonly scope?: string | undefined },
): void {
  const allowed = client.scope ?? '';
  const requested = typeof query.scope === 'string' ? query.scope.trim() : '';
  if (requested === '') {
    if (oidc.params !== undefined) oidc.params.scope = allowed;
    return;
  }
  const known = [...allowed.split(' '), ...(isApplicationId(client.clientId) ? [] : [REFRESH_TOKEN_SCOPE])];
  const refused = requested.split(/ +/).find((scope) => !known.includes(scope));
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused);
}
