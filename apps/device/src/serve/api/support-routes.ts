import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { NotFound } from '@heliograph/kit';
import type { Audit } from '../../access/audit/audit.ts';
import type { SupportSessions } from '../../access/support-sessions.ts';
import { callerOf } from './guards.ts';

export interface SupportRouteOptions {
  readonly support: SupportSessions;
  readonly audit: Audit;
}

/** Support recovery sessions, which end here without the cloud. */
export function supportRoutes(api: Api, { support, audit }: SupportRouteOptions): void {
  api.serve(deviceOperations.getSupport, () => support.show());

  api.serve(deviceOperations.changeSupport, (request) => {
    const { access } = request.body;
    const changes = [{ field: 'support_access', old_value: support.access, new_value: access }];
    if (access !== support.access) {
      const trace = audit.begin('support.change', callerOf(request), { changes });
      support.setAccess(access);
      trace.end('ok');
    }
    return support.show();
  });

  api.serve(deviceOperations.endSupportSession, async (request) => {
    const id = Number(request.params.id);
    const trace = audit.begin('support.end', callerOf(request), { subject: `session ${id}` });
    const isEnded = support.end(id);
    trace.end(isEnded ? 'ok' : 'not found');
    if (!isEnded) throw new NotFound();
  });
}
