import { type Static, Type } from 'typebox';
import { ANY_TOKEN, NoContent, operations } from '../common/operation.ts';

/** Refusals of the OAuth server (RFC 6749, 5.2). */
export const OAuthErrorBody = Type.Object({
  error: Type.String({ description: 'A code of the standard, such as invalid_grant' }),
  error_description: Type.Optional(Type.String()),
});

const ClientId = Type.String({ description: 'Of an application, or of an agent that has registered itself' });
const Resource = Type.String({ description: 'Of agents: the address of the MCP server (RFC 8707)' });

export const AuthorizationQuery = Type.Object({
  client_id: ClientId,
  response_type: Type.Literal('code'),
  redirect_uri: Type.Optional(
    Type.String({ description: 'One of those of the application; may be left out where it has only one' }),
  ),
  scope: Type.Optional(
    Type.String({ description: 'Separated by spaces: openid, sites:read_single; of agents others, too' }),
  ),
  state: Type.Optional(Type.String({ description: 'Comes back with the code' })),
  code_challenge: Type.Optional(
    Type.String({ description: 'PKCE (RFC 7636); only an application that shows its secret may omit it' }),
  ),
  code_challenge_method: Type.Optional(Type.Literal('S256')),
  nonce: Type.Optional(Type.String({ description: 'Comes back in the id_token' })),
  prompt: Type.Optional(Type.String({ description: 'login: asks to sign in again' })),
  max_age: Type.Optional(Type.Integer({ minimum: 0, description: 'Seconds since the sign-in, at most' })),
  login_hint: Type.Optional(Type.String({ description: 'The email address of the person' })),
  resource: Type.Optional(Resource),
});

export const TokenForm = Type.Object({
  grant_type: Type.Literal('authorization_code'),
  code: Type.String({ description: 'From the redirect URI, within 60 seconds' }),
  client_id: Type.Optional(ClientId),
  client_secret: Type.Optional(
    Type.String({ description: 'Of an application that has one; or with client_id as Authorization: Basic' }),
  ),
  redirect_uri: Type.Optional(Type.String({ description: 'As in the authorization request' })),
  code_verifier: Type.Optional(Type.String({ description: 'Of the code_challenge' })),
  resource: Type.Optional(Resource),
});

export const TokenAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds; there is no refresh token' }),
  scope: Type.String(),
  scope_detail: Type.Object(
    {
      openid: Type.Optional(Type.Object({ sub: Type.Integer({ description: 'The account' }) })),
      'sites:read_single': Type.Optional(
        Type.Object({ id: Type.Integer({ description: 'The site that the person chose' }) }),
      ),
    },
    { description: 'Each scope with what it was given for' },
  ),
  id_token: Type.Optional(Type.String({ description: 'With openid: a JWT, valid for an hour' })),
});

const Url = Type.String({ description: 'A URL' });
const Texts = Type.Array(Type.String());

export const ServerMetadata = Type.Object({
  issuer: Url,
  authorization_endpoint: Url,
  token_endpoint: Url,
  jwks_uri: Url,
  userinfo_endpoint: Url,
  revocation_endpoint: Url,
  registration_endpoint: Url,
  response_types_supported: Texts,
  grant_types_supported: Texts,
  code_challenge_methods_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  scopes_supported: Texts,
  claims_supported: Texts,
});

export const ResourceMetadata = Type.Object({
  resource: Url,
  resource_name: Type.String(),
  authorization_servers: Type.Array(Url),
  scopes_supported: Texts,
  bearer_methods_supported: Texts,
  resource_documentation: Url,
});

const id = Type.Union([Type.String(), Type.Integer()]);

/** A request or a notification of JSON-RPC 2.0. */
export const McpMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(id),
  method: Type.String({ description: 'Such as tools/list, or tools/call' }),
  params: Type.Optional(Type.Object({})),
});
export type McpMessage = Static<typeof McpMessage>;

export const McpResult = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(
    Type.Union([...id.anyOf, Type.Null()], { description: 'Null where the request could not be read' }),
  ),
  result: Type.Optional(Type.Object({})),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
});

const oauthOperations = operations('oauth', {
  getServerMetadata: {
    route: 'GET /.well-known/openid-configuration',
    summary: 'The endpoints of the OAuth and OpenID Connect server, and what it supports',
    requires: 'nothing',
    answers: { 200: ServerMetadata },
  },

  getResourceMetadata: {
    route: 'GET /.well-known/oauth-protected-resource',
    summary: 'Where agents get tokens for the MCP server, and with which scopes (RFC 9728)',
    requires: 'nothing',
    answers: { 200: ResourceMetadata },
  },

  authorizeApplication: {
    route: 'GET /oauth/authorize',
    summary: 'The page on which a person allows an application access; opened in a browser',
    description:
      'Leads to the page, and from there to the redirect URI with `code`, `state` and `iss`, or with `error`. Where the application or the redirect URI is not known, the answer is a page with 400.',
    requires: 'nothing',
    query: AuthorizationQuery,
    answers: { 303: NoContent },
    errorShape: 'page',
  },

  authorizeApplicationByForm: {
    route: 'POST /oauth/authorize',
    summary: 'As `GET /oauth/authorize`, with the parameters in a form, which may be longer than an address',
    requires: 'nothing',
    body: { content: { 'application/x-www-form-urlencoded': { schema: AuthorizationQuery } } },
    answers: { 303: NoContent },
    errorShape: 'page',
  },

  exchangeCode: {
    route: 'POST /oauth/token',
    summary: 'Exchanges a code for an access token, and with openid for an id_token',
    description: 'The access token is valid for 24 hours.',
    requires: 'nothing',
    body: { content: { 'application/x-www-form-urlencoded': { schema: TokenForm } } },
    answers: { 200: TokenAnswer },
    refusals: [401, 429],
    errorShape: 'oauth',
  },
});

const mcpOperations = operations('agents', {
  callMcp: {
    route: 'POST /mcp',
    summary: 'The MCP server, for agents: JSON-RPC 2.0 by Streamable HTTP, without sessions',
    description:
      'Takes API tokens, and tokens that an agent got from `/oauth/token`; 401 names the metadata that lead there. A notification is answered with 202 and nothing. Clients of the revision 2025-03-26 may send a list of messages. Errors of requests that cannot be read are of JSON-RPC, too.',
    requires: ANY_TOKEN,
    body: McpMessage,
    answers: { 200: McpResult, 202: NoContent },
    refusals: [403, 429],
    errorShape: 'json_rpc',
  },
});

/**
 * Endpoints that protocols of their own describe, and their own servers serve. They are in the document, for clients that
 * are made of it; the client's methods and the tables of tests are those of `cloudOperations`.
 */
export const protocolOperations = { ...oauthOperations, ...mcpOperations };
