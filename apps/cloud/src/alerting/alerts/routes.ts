import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf, deviceOf } from '../../http/guards.ts';
import type { SiteAlertService } from './service.ts';
import type { AlertUploads } from './upload.ts';

interface SiteAlertServices {
  readonly siteAlerts: SiteAlertService;
  readonly alertUploads: AlertUploads;
}

export function siteAlertRoutes(api: Api, { siteAlerts, alertUploads }: SiteAlertServices): void {
  api.serve(internalOperations.storeDeviceAlerts, (request) => {
    const { uid, siteId } = deviceOf(request);
    return alertUploads.receive(siteId, uid, request.body);
  });

  api.serve(cloudOperations.listAlerts, (request) => siteAlerts.list(callerOf(request), request.query));

  api.serve(cloudOperations.listSiteAlerts, (request) =>
    siteAlerts.ofSite(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.listAlertAssignees, (request) =>
    siteAlerts.assignees(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.getOfflineAlert, (request) =>
    siteAlerts.offlineAlert(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.setOfflineAlert, (request) =>
    siteAlerts.setOfflineAlert(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.changeSiteAlert, (request) =>
    siteAlerts.change(callerOf(request), request.params.id, request.params.alert_id, request.body),
  );
}
