import type { Scope } from '@heliograph/contracts';
import { type Adapter, type Configuration, errors, interactionPolicy, type JWKS } from 'oidc-provider';
import { isApplicationId } from '../features/applications/service.ts';
import { ACCESS_TOKEN_LIFETIME_MS } from '../features/grants/service.ts';
import type { IdentityClaims } from '../features/identity/service.ts';
import { AGENT_SCOPES } from './agents/challenge.ts';
import { documentSupport } from './agents/document-support.ts';
import type { AgentDocuments } from './agents/documents.ts';
import { errorPage } from './error-page.ts';
import { settleScope } from './requested-scope.ts';

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/certs',
  userinfo: '/oauth/userinfo',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
} as const;

/** Below it are the consent page of each authorization and what the page calls. */
export const CONSENT_PATH = '/oauth/consent';

/** Scopes that an application of an organization may request. */
const APPLICATION_SCOPES: readonly Scope[] = ['openid', 'sites:read_single'];

/** How long the steps of an authorization may take, in seconds. */
const LIFETIMES_S = {
  AccessToken: ACCESS_TOKEN_LIFETIME_MS / 1000,
  Grant: ACCESS_TOKEN_LIFETIME_MS / 1000,
  /** From the redirect to the application until it asks for the token. */
  AuthorizationCode: 60,
  IdToken: 60 * 60,
  /** For the user to sign in, perhaps with a password to be found first, and to consent. */
  Interaction: 60 * 60,
  Session: 60 * 60,
};

export interface ConfigurationOptions {
  /** Storage of each kind of record. */
  readonly adapter: (model: string) => Adapter;
  /** The key that signs identity tokens first, then those that did. */
  readonly jwks: JWKS;
  /** Signs the server's cookies. */
  readonly cookieKey: string;
  /** The MCP server as a resource. */
  readonly mcpUrl: string;
  /** Endpoint of agents' registration, which is not part of oidc-provider. */
  readonly registrationUrl: string;
  /** Metadata that agents publish. */
  readonly documents: AgentDocuments;
  /** The account with this id, if there is one. */
  readonly claimsOf: (userId: number) => Promise<IdentityClaims | undefined>;
}

/** How oidc-provider is set up: authorization code with PKCE, and nothing else that it can do. */
export function configurationOf(options: ConfigurationOptions): Configuration {
  const { adapter, jwks, cookieKey, mcpUrl, registrationUrl, claimsOf } = options;
  const documents = documentSupport(options.documents);
  return {
    adapter,
    jwks,
    routes: ROUTES,
    scopes: [...new Set([...APPLICATION_SCOPES, ...AGENT_SCOPES])],
    claims: { openid: ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name', 'locale'] },
    // Many read the id_token alone and never ask for userinfo.
    conformIdTokenClaims: false,
    async findAccount(_ctx, sub) {
      const claims = await claimsOf(Number(sub));
      return claims && { accountId: sub, claims: async () => ({ ...claims }) };
    },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'RS512' },
    enabledJWA: { idTokenSigningAlgValues: ['RS512'] },
    // Server applications that show a secret may do without, as those written for this API do; a challenge that
    // was sent is always held against the verifier.
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // The HTTP API takes bearer tokens, and would not look whether one is bound to a key.
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
        // Applications are for the HTTP API, which is what a token without an audience is good at.
        defaultResource: (_ctx, client) => (isAgent(client) ? mcpUrl : []),
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource, client) {
          if (resource !== mcpUrl || !isAgent(client)) throw new errors.InvalidTarget();
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
      keys: [cookieKey],
      names: { session: 'heliograph_oauth', interaction: 'heliograph_consent', resume: 'heliograph_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/oauth' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    // Users end a grant themselves; closing the browser does not.
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
