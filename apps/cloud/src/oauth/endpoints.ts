import { ROUTES } from './configuration.ts';

/** Endpoints of the OAuth and OpenID Connect server, with what each is for, as the published contract lists them. */
export const OAUTH_ENDPOINTS = [
  {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    purpose: 'All that follows, and what is supported (OpenID Connect Discovery)',
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    purpose: 'The same for clients of OAuth alone (RFC 8414)',
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    purpose: 'Where agents get tokens for `/mcp` (RFC 9728)',
  },
  {
    method: 'GET',
    path: ROUTES.authorization,
    purpose: 'The page on which a person allows access: authorization code with PKCE',
  },
  {
    method: 'POST',
    path: ROUTES.token,
    purpose: 'Exchanges a code for an access token and an identity token',
  },
  { method: 'GET', path: ROUTES.userinfo, purpose: 'Who allowed access, for an access token with `openid`' },
  { method: 'POST', path: ROUTES.revocation, purpose: 'Ends an access token (RFC 7009)' },
  { method: 'GET', path: ROUTES.jwks, purpose: 'The keys that identity tokens are signed with' },
  { method: 'POST', path: ROUTES.registration, purpose: 'Registers an agent (RFC 7591)' },
] as const;
