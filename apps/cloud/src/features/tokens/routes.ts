import {
  ApiToken,
  CreateApiTokenBody,
  CreatedApiToken,
  SessionSummary,
  TokenParams,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { OwnTokenService } from './own-tokens.ts';

export function tokenRoutes(app: App, tokens: OwnTokenService, guards: Guards): void {
  app.get(
    '/api/v1/user/tokens',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Lists the API tokens of the account, the newest first',
        tags: ['tokens'],
        operationId: 'listTokens',
        response: { 200: Type.Array(ApiToken) },
      },
    },
    (request) => tokens.listApiTokens(callerOf(request)),
  );

  app.post(
    '/api/v1/user/tokens',
    {
      onRequest: guards.freshSession,
      schema: {
        summary: 'Makes an API token and shows it, this once',
        tags: ['tokens'],
        operationId: 'createToken',
        body: CreateApiTokenBody,
        response: { 201: CreatedApiToken },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await tokens.createApiToken(callerOf(request), request.body)),
  );

  app.delete(
    '/api/v1/user/tokens/:id',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Revokes an API token',
        tags: ['tokens'],
        operationId: 'revokeToken',
        params: TokenParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await tokens.revoke(callerOf(request), 'api', request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/user/sessions',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Lists where the account is signed in, the newest first',
        tags: ['tokens'],
        operationId: 'listSessions',
        response: { 200: Type.Array(SessionSummary) },
      },
    },
    (request) => tokens.listSessions(callerOf(request)),
  );

  app.delete(
    '/api/v1/user/sessions/:id',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Ends a session',
        tags: ['tokens'],
        operationId: 'endSession',
        params: TokenParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await tokens.revoke(callerOf(request), 'session', request.params.id);
      return reply.code(204).send(null);
    },
  );
}
