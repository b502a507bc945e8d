import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { DelegationService } from './service.ts';

export function delegationRoutes(api: Api, delegations: DelegationService): void {
  api.serve(cloudOperations.listDelegations, (request) => delegations.list(callerOf(request), request.query));

  api.serve(cloudOperations.endDelegation, async (request) => {
    await delegations.end(callerOf(request), request.params.id);
  });

  api.serve(cloudOperations.endDelegations, async (request) => ({
    ended: await delegations.endAll(callerOf(request), request.query),
  }));

  api.serve(cloudOperations.keepDelegation, (request) =>
    delegations.keep(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.listSiteDelegations, (request) =>
    delegations.listOfSite(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.endSiteDelegation, async (request) => {
    const { id, delegation_id: delegationId } = request.params;
    await delegations.endOfSite(callerOf(request), id, delegationId);
  });

  api.serve(cloudOperations.endSiteDelegations, async (request) => ({
    ended: await delegations.endAllOfSite(callerOf(request), request.params.id),
  }));

  api.serve(cloudOperations.keepSiteDelegation, (request) => {
    const { id, delegation_id: delegationId } = request.params;
    return delegations.keepOfSite(callerOf(request), id, delegationId);
  });
}
