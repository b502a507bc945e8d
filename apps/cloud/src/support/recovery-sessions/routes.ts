import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import {
  approveRecoverySession,
  declineRecoverySession,
  endRecoverySession,
  extendRecoverySession,
} from './answers.ts';
import { openRecoverySession } from './open-session.ts';
import {
  getRecoverySession,
  listRecoverySessionEvents,
  listRecoverySessions,
  listSiteRecoverySessions,
} from './sessions.ts';

export function recoverySessionRoutes(api: Api, platform: Platform): void {
  api.serve(cloudOperations.openRecoverySession, async (request, reply) => {
    const { session, isNew } = await openRecoverySession(platform, callerOf(request), request);
    return reply.code(isNew ? 201 : 200).send(session);
  });

  serveUseCases(api, platform, {
    listSiteRecoverySessions,
    getRecoverySession,
    listRecoverySessionEvents,
    approveRecoverySession,
    declineRecoverySession,
    extendRecoverySession,
    endRecoverySession,
    listRecoverySessions,
  });
}
