import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import { bearerOf, type ProofAdmission } from '../devices/service.ts';
import type { SiteHistoryService } from './service.ts';

export function siteHistoryRoutes(api: Api, history: SiteHistoryService, admission: ProofAdmission): void {
  api.serve(internalOperations.storeDeviceHistory, async (request) => {
    const { uid } = request.query;
    const siteId = await admission.admit(uid, bearerOf(request), clientAddressFrom(request.ip));
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
