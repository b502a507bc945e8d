import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf, deviceOf } from '../../http/guards.ts';
import type { SiteHistoryService } from './service.ts';

export function siteHistoryRoutes(api: Api, history: SiteHistoryService): void {
  api.serve(internalOperations.storeDeviceHistory, (request) => {
    const { uid, siteId } = deviceOf(request);
    return history.receive(siteId, uid, request.body);
  });

  api.serve(cloudOperations.getSiteHistoryConsent, (request) =>
    history.consent(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.setSiteHistoryConsent, (request) =>
    history.decide(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.getSiteEnergy, (request) =>
    history.energy(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.getSiteHistory, (request) =>
    history.history(callerOf(request), request.params.id, request.query),
  );
}
