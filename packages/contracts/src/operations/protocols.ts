import {
  AuthorizationQuery,
  McpMessage,
  McpResult,
  ResourceMetadata,
  ServerMetadata,
  TokenAnswer,
  TokenForm,
} from '../schemas/protocols.ts';
import { ANY_TOKEN, NoContent, operations } from './operation.ts';

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
