import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { Caller } from '../../access/caller.ts';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { apiTokenErrors, createToken } from './create-token.ts';
import { listSessions, listTokens, revokeOwnToken } from './own-tokens.ts';

/** Ends what a session or an API token made. */
export interface MadeEnder {
  endAll(caller: Caller, query: { readonly token_id: number }): Promise<number>;
}

export function tokenRoutes(api: Api, platform: Platform, delegations: MadeEnder): void {
  serveUseCases(api, platform, { listTokens, listSessions });

  api.serve(cloudOperations.createToken, (request) => createToken(platform, callerOf(request), request), {
    fieldErrors: (fields) => apiTokenErrors(fields, new Date(platform.clock.now())),
  });

  api.serve(cloudOperations.revokeToken, async (request) => {
    const { params, query } = request;
    await revokeOwnToken(platform, callerOf(request), 'api', params.id, query.made !== 'end');
    if (query.made === 'end') await delegations.endAll(callerOf(request), { token_id: params.id });
  });

  api.serve(cloudOperations.endSession, async (request) => {
    const { params, query } = request;
    await revokeOwnToken(platform, callerOf(request), 'session', params.id);
    if (query.made === 'end') await delegations.endAll(callerOf(request), { token_id: params.id });
  });
}
