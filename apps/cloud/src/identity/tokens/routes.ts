import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { Caller } from '../../access/caller.ts';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { apiTokenErrors, createToken } from './create-token.ts';
import { listSessions, listTokens, revokeOwnToken } from './own-tokens.ts';

/** @param endMade ends what a session or an API token made */
export function tokenRoutes(
  api: Api,
  platform: Platform,
  endMade: (caller: Caller, tokenId: number) => Promise<unknown>,
): void {
  serveUseCases(api, platform, { listTokens, listSessions });

  api.serve(cloudOperations.createToken, (request) => createToken(platform, callerOf(request), request), {
    fieldErrors: (fields) => apiTokenErrors(fields, new Date(platform.clock.now())),
  });

  api.serve(cloudOperations.revokeToken, async (request) => {
    const { params, query } = request;
    await revokeOwnToken(platform, callerOf(request), 'api', params.id, query.made !== 'end');
    if (query.made === 'end') await endMade(callerOf(request), params.id);
  });

  api.serve(cloudOperations.endSession, async (request) => {
    const { params, query } = request;
    await revokeOwnToken(platform, callerOf(request), 'session', params.id);
    if (query.made === 'end') await endMade(callerOf(request), params.id);
  });
}
