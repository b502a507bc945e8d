import { errors, type KoaContextWithOIDC } from 'oidc-provider';

/**
 * A scope that there is not is refused like one that the client was not registered with: the server alone would drop
 * it. A request without the parameter, as older agents send it, is for all that the client may have (RFC 6749, 3.3).
 *
 * @throws errors.InvalidScope
 */
export function settleScope(
  { query, oidc }: KoaContextWithOIDC,
  client: { readonly scope?: string | undefined },
): void {
  const allowed = client.scope ?? '';
  const asked = typeof query.scope === 'string' ? query.scope.trim() : '';
  if (asked === '') {
    if (oidc.params !== undefined) oidc.params.scope = allowed;
    return;
  }
  const refused = asked.split(/ +/).find((scope) => !allowed.split(' ').includes(scope));
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused);
}
