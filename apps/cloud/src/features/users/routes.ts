import { UpdateUserBody, User, UserListQuery } from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { UserService } from './service.ts';

export function userRoutes(app: App, users: UserService, guards: Guards): void {
  app.get(
    '/api/v1/user',
    {
      onRequest: guards.anyToken,
      schema: {
        summary: 'Shows the account of the token',
        tags: ['users'],
        operationId: 'getCurrentUser',
        response: { 200: User },
      },
    },
    (request) => users.current(callerOf(request)),
  );

  app.patch(
    '/api/v1/user',
    {
      onRequest: guards.anyToken,
      schema: {
        summary: 'Changes the language of the account',
        tags: ['users'],
        operationId: 'updateCurrentUser',
        body: UpdateUserBody,
        response: { 200: User },
      },
    },
    (request) => users.update(callerOf(request), request.body),
  );

  app.get(
    '/api/v1/users',
    {
      onRequest: guards.scope('users:read_all'),
      schema: {
        summary: 'Lists the accounts that the caller sees, the newest first',
        tags: ['users'],
        operationId: 'listUsers',
        querystring: UserListQuery,
        response: { 200: Type.Array(User) },
      },
    },
    (request) => users.list(callerOf(request), request.query),
  );
}
