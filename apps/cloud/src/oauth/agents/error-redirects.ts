import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { isApplicationId } from '../applications/credentials.ts';

/**
 * Shows errors of an agent's request on a page of the cloud until the person has decided on the consent page: any client
 * may register as an agent, so its redirect URI must not make the cloud an open redirector (RFC 9700, 4.11.2).
 * Applications, for which organizations are responsible, get their errors by redirect.
 */
export function withholdErrorRedirects(provider: Provider): void {
  // The server reports an error before it looks whether the error may be redirected.
  const withhold = (ctx: KoaContextWithOIDC, error: unknown): void => {
    if (!(error instanceof errors.OIDCProviderError)) return;
    const { client, entities } = ctx.oidc ?? {};
    const isApplication = client !== undefined && isApplicationId(client.clientId);
    if (isApplication || entities?.Interaction?.result !== undefined) return;
    error.allow_redirect = false;
    // Some errors have the status of the redirect.
    if (ctx.status < 400) ctx.status = 400;
  };
  provider.on('authorization.error', withhold);
  provider.on('server_error', withhold);
}
