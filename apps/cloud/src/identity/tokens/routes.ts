import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { Caller } from '../../access/caller.ts';
import { callerOf } from '../../http/guards.ts';
import type { OwnTokenService } from './own-tokens.ts';

/** Ends what a session or an API token made. */
export interface MadeEnder {
  endAll(caller: Caller, query: { readonly token_id: number }): Promise<number>;
}

export function tokenRoutes(
  api: Api,
  {
    ownTokens: tokens,
    delegations,
  }: { readonly ownTokens: OwnTokenService; readonly delegations: MadeEnder },
): void {
  api.serve(cloudOperations.listTokens, (request) => tokens.listApiTokens(callerOf(request)));

  api.serve(
    cloudOperations.createToken,
    (request) => tokens.createApiToken(callerOf(request), request.body),
    { fieldErrors: (fields) => tokens.fieldErrors(fields) },
  );

  api.serve(cloudOperations.revokeToken, async (request) => {
    const { params, query } = request;
    await tokens.revoke(callerOf(request), 'api', params.id, query.made !== 'end');
    if (query.made === 'end') await delegations.endAll(callerOf(request), { token_id: params.id });
  });

  api.serve(cloudOperations.listSessions, (request) => tokens.listSessions(callerOf(request)));

  api.serve(cloudOperations.endSession, async (request) => {
    const { params, query } = request;
    await tokens.revoke(callerOf(request), 'session', params.id);
    if (query.made === 'end') await delegations.endAll(callerOf(request), { token_id: params.id });
  });
}
