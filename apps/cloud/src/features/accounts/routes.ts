import { Session, SignInBody, User } from '@heliograph/contracts';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { AccountService } from './service.ts';

export function accountRoutes(app: App, accounts: AccountService, guards: Guards): void {
  app.post('/api/v1/sign_in', { schema: { body: SignInBody, response: { 200: Session } } }, ({ body }) =>
    accounts.signIn(body),
  );

  app.get('/api/v1/user', { onRequest: guards.anyToken, schema: { response: { 200: User } } }, (request) =>
    accounts.currentUser(callerOf(request)),
  );
}
