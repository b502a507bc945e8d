import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { deviceOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { getSiteHistoryConsent, setSiteHistoryConsent } from './consent.ts';
import { getSiteEnergy, getSiteHistory } from './kept-history.ts';
import { receiveHistory } from './receive.ts';

export function siteHistoryRoutes(api: Api, platform: Platform): void {
  api.serve(internalOperations.storeDeviceHistory, (request) =>
    receiveHistory(platform, deviceOf(request), request.body),
  );
  serveUseCases(api, platform, {
    ...{ getSiteHistoryConsent, setSiteHistoryConsent, getSiteEnergy, getSiteHistory },
  });
}
