import { IdTokenAnswer, IdTokenBody } from '@heliograph/contracts';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { IdentityService } from './service.ts';

export function identityRoutes(app: App, identity: IdentityService, guards: Guards): void {
  app.post(
    '/api/v1/id_token',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Exchanges a session for an id_token for an application',
        description:
          'A JWT that tells an application of an organization who is signed in, and that its server or database verifies by itself with the keys at `/oauth/certs`. Its `nonce` is that of the request, `auth_time` when the session was opened.',
        tags: ['users'],
        operationId: 'createIdToken',
        body: IdTokenBody,
        response: { 200: IdTokenAnswer },
      },
    },
    (request) => identity.idToken(callerOf(request), request.body),
  );
}
