import type { KoaContextWithOIDC } from 'oidc-provider';
import type { CodeExchanges } from './code-exchanges.ts';
import { ROUTES } from './configuration.ts';

/** As the OAuth server answers to a code that is worth nothing, whatever the reason. */
const WORTHLESS_CODE = { error: 'invalid_grant', error_description: 'grant request is invalid' };

/**
 * Adds the chosen site and an `Access-Control-Allow-Origin` of the application's own to answers of the token endpoint,
 * which are sent when the token is stored.
 */
export function completeTokenAnswer(exchanges: CodeExchanges) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.path !== ROUTES.token) return;
    ctx.remove('access-control-allow-origin');
    const origin = originOf(ctx);
    if (origin !== undefined) ctx.set('access-control-allow-origin', origin);
    const exchanged = await exchanges.outcome(ctx);
    const { AccessToken: token } = ctx.oidc?.entities ?? {};
    if (ctx.status !== 200 || token === undefined) return;
    if (exchanged?.outcome !== 'issued') {
      ctx.status = 400;
      ctx.body = WORTHLESS_CODE;
      return;
    }
    const answer = ctx.body as Record<string, unknown>;
    ctx.body = { ...answer, token_type: 'bearer', scope_detail: scopeDetail(token, exchanged.siteId) };
  };
}

/** The redirect URI that the code was sent to; without a valid one, the first of the application. */
function originOf(ctx: KoaContextWithOIDC): string | undefined {
  const { client, params } = ctx.oidc ?? {};
  const requested = params?.redirect_uri;
  const uris = client?.redirectUris ?? [];
  const uri = typeof requested === 'string' && client?.redirectUriAllowed(requested) ? requested : uris[0];
  const origin = uri === undefined ? undefined : URL.parse(uri)?.origin;
  // Schemes of apps have no origin that a browser would send.
  return origin === 'null' ? undefined : origin;
}

interface ScopedToken {
  readonly accountId: string;
  readonly scopes: ReadonlySet<string>;
}

/** By scope, what it was given for. */
function scopeDetail({ accountId, scopes }: ScopedToken, siteId: number | null) {
  return {
    ...(scopes.has('openid') && { openid: { sub: Number(accountId) } }),
    ...(scopes.has('sites:read_single') && { 'sites:read_single': { id: siteId } }),
  };
}
