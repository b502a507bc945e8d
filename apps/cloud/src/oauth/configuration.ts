import type { Scope } from '@heliograph/contracts';
import { SCOPES } from '@heliograph/contracts';
import {
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { AGENT_SCOPES, isMcpResource } from './agents/challenge.ts';
import { documentSupport } from './agents/document-support.ts';
import type { AgentDocuments } from './agents/documents.ts';
import { isApplicationId } from './applications/credentials.ts';
import { errorPage } from './error-page.ts';
import { ACCESS_TOKEN_LIFETIME_MS } from './grants/grants.ts';
import type { IdentityClaims } from './identity/claims.ts';

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
function settleScope(
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

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/certs',
  userinfo: '/oauth/userinfo',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
} as const;

/** Path prefix of the consent page of each authorization, and of its endpoints. */
export const CONSENT_PATH = '/oauth/consent';

/** Scopes that an application of an organization may request. */
const APPLICATION_SCOPES: readonly Scope[] = ['openid', 'sites:read_single'];

/** Time limits of the steps of an authorization, in seconds. */
const LIFETIMES_S = {
  AccessToken: ACCESS_TOKEN_LIFETIME_MS / 1000,
  Grant: ACCESS_TOKEN_LIFETIME_MS / 1000,
  /** From the redirect to the application until its token request. */
  AuthorizationCode: 60,
  IdToken: 60 * 60,
  /** For the user to sign in, perhaps after a password reset, and to consent. */
  Interaction: 60 * 60,
  Session: 60 * 60,
};

export interface ConfigurationOptions {
  /** Storage of each kind of record. */
  readonly adapter: (model: string) => Adapter;
  /** The current key of identity tokens first, then former ones. */
  readonly jwks: JWKS;
  /** Signs the server's cookies. */
  readonly cookieKeys: readonly string[];
  /** The MCP server as a resource. */
  readonly mcpUrl: string;
  /** Endpoint of agents' registration, which is not part of oidc-provider. */
  readonly registrationUrl: string;
  /** Metadata that agents publish. */
  readonly documents: AgentDocuments;
  readonly claimsOf: (userId: number) => Promise<IdentityClaims | undefined>;
}

/** Configuration of oidc-provider: authorization code with PKCE, and no other feature. */
export function configurationOf(options: ConfigurationOptions): Configuration {
  const { adapter, jwks, cookieKeys, mcpUrl, registrationUrl, claimsOf } = options;
  const documents = documentSupport(options.documents);
  return {
    adapter,
    jwks,
    routes: ROUTES,
    scopes: [...new Set([...APPLICATION_SCOPES, ...AGENT_SCOPES])],
    claims: { openid: ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name', 'locale'] },
    // Many applications read the id_token alone and never request userinfo.
    conformIdTokenClaims: false,
    async findAccount(_ctx, sub) {
      const claims = await claimsOf(Number(sub));
      return claims && { accountId: sub, claims: async () => ({ ...claims }) };
    },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'RS512' },
    enabledJWA: { idTokenSigningAlgValues: ['RS512'] },
    // Server applications with a secret may omit PKCE, as existing ones do; a challenge is always verified if sent.
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // The HTTP API accepts bearer tokens, and does not check whether one is bound to a key.
      dPoP: { enabled: false },
      userinfo: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy(_ctx, client, token) {
          if (token.clientId === client.clientId) return true;
          throw new errors.InvalidRequest('the token was issued to another client');
        },
      },
      clientIdMetadataDocument: documents.feature,
      resourceIndicators: {
        enabled: true,
        // Applications use the HTTP API, whose tokens have no audience.
        defaultResource: (_ctx, client) => (isAgent(client) ? mcpUrl : []),
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource, client) {
          if (!isMcpResource(resource, mcpUrl) || !isAgent(client)) throw new errors.InvalidTarget();
          return { scope: AGENT_SCOPES.join(' '), audience: mcpUrl, accessTokenFormat: 'opaque' };
        },
      },
    },
    extraParams: { scope: (ctx, _value, client) => settleScope(ctx, client) },
    interactions: {
      policy: interactionPolicy.base(),
      url: (_ctx, { uid }) => `${CONSENT_PATH}/${uid}`,
    },
    cookies: {
      keys: [...cookieKeys],
      names: { session: 'heliograph_oauth', interaction: 'heliograph_consent', resume: 'heliograph_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/oauth' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    // Users revoke a grant themselves; closing the browser does not.
    expiresWithSession: () => false,
    ttl: LIFETIMES_S,
    // Answers of the token endpoint name the application's own origin instead: see token-response.ts.
    clientBasedCORS: () => true,
    discovery: { registration_endpoint: registrationUrl },
    ...documents.fetching,
    renderError: errorPage,
  };
}

function isAgent({ clientId }: { readonly clientId: string }): boolean {
  return !isApplicationId(clientId);
}
