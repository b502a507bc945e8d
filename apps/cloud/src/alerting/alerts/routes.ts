import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { deviceOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import {
  changeSiteAlert,
  getOfflineAlert,
  listAlertAssignees,
  listAlerts,
  listSiteAlerts,
  setOfflineAlert,
} from './site-alerts.ts';
import { receiveAlerts } from './upload.ts';

export function siteAlertRoutes(api: Api, platform: Platform): void {
  api.serve(internalOperations.storeDeviceAlerts, (request) =>
    receiveAlerts(platform, deviceOf(request), request.body),
  );
  serveUseCases(api, platform, {
    ...{ listAlerts, listSiteAlerts, changeSiteAlert },
    ...{ listAlertAssignees, getOfflineAlert, setOfflineAlert },
  });
}
