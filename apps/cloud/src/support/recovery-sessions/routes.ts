import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { RecoverySessionService } from './service.ts';

export function recoverySessionRoutes(api: Api, sessions: RecoverySessionService): void {
  api.serve(cloudOperations.openRecoverySession, async (request, reply) => {
    const { session, isNew } = await sessions.open(callerOf(request), request.params.id, request.body);
    return reply.code(isNew ? 201 : 200).send(session);
  });

  api.serve(cloudOperations.listSiteRecoverySessions, (request) =>
    sessions.listOfSite(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.getRecoverySession, (request) =>
    sessions.show(callerOf(request), request.params.id, request.params.session_id),
  );

  api.serve(cloudOperations.listRecoverySessionEvents, (request) => {
    const { id, session_id: sessionId } = request.params;
    return sessions.events(callerOf(request), id, sessionId, request.query);
  });

  api.serve(cloudOperations.approveRecoverySession, (request) => {
    const { id, session_id: sessionId } = request.params;
    return sessions.approve(callerOf(request), id, sessionId, request.body);
  });

  api.serve(cloudOperations.declineRecoverySession, (request) => {
    const { id, session_id: sessionId } = request.params;
    return sessions.decline(callerOf(request), id, sessionId);
  });

  api.serve(cloudOperations.extendRecoverySession, (request) => {
    const { id, session_id: sessionId } = request.params;
    return sessions.extend(callerOf(request), id, sessionId, request.body);
  });

  api.serve(cloudOperations.endRecoverySession, (request) => {
    const { id, session_id: sessionId } = request.params;
    return sessions.end(callerOf(request), id, sessionId);
  });

  api.serve(cloudOperations.listRecoverySessions, (request) =>
    sessions.list(callerOf(request), request.query),
  );
}
