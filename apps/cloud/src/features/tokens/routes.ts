import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { OwnTokenService } from './own-tokens.ts';

export function tokenRoutes(api: Api, tokens: OwnTokenService): void {
  api.serve(cloudOperations.listTokens, (request) => tokens.listApiTokens(callerOf(request)));

  api.serve(cloudOperations.createToken, (request) => tokens.createApiToken(callerOf(request), request.body));

  api.serve(cloudOperations.revokeToken, async (request) => {
    await tokens.revoke(callerOf(request), 'api', request.params.id);
  });

  api.serve(cloudOperations.listSessions, (request) => tokens.listSessions(callerOf(request)));

  api.serve(cloudOperations.endSession, async (request) => {
    await tokens.revoke(callerOf(request), 'session', request.params.id);
  });
}
