import { Type } from 'typebox';
import {
  ApiToken,
  CreateApiTokenBody,
  CreatedApiToken,
  EndTokenQuery,
  SessionSummary,
  TokenParams,
} from '../schemas/tokens.ts';
import { NoContent, operations } from './operation.ts';

export const tokenOperations = operations('tokens', {
  listTokens: {
    route: 'GET /api/v1/user/tokens',
    summary: 'Lists the API tokens of the account, the newest first',
    requires: 'session',
    answers: { 200: Type.Array(ApiToken) },
  },

  createToken: {
    route: 'POST /api/v1/user/tokens',
    summary: 'Makes an API token and shows it, this once',
    requires: 'fresh_session',
    body: CreateApiTokenBody,
    invalidFields: 422,
    answers: { 201: CreatedApiToken },
    refusals: [422, 429],
  },

  revokeToken: {
    route: 'DELETE /api/v1/user/tokens/{id}',
    summary: 'Revokes an API token',
    requires: 'session',
    params: TokenParams,
    query: EndTokenQuery,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listSessions: {
    route: 'GET /api/v1/user/sessions',
    summary: 'Lists where the account is signed in, the newest first',
    requires: 'session',
    answers: { 200: Type.Array(SessionSummary) },
  },

  endSession: {
    route: 'DELETE /api/v1/user/sessions/{id}',
    summary: 'Ends a session',
    requires: 'session',
    params: TokenParams,
    query: EndTokenQuery,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
