import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { SiteChanges } from './changes.ts';
import type { SiteMoving } from './moving.ts';
import type { SiteRegistration } from './registration.ts';
import type { SiteRelease } from './release.ts';
import type { SiteReplacement } from './replacement.ts';
import type { SiteService } from './service.ts';

interface SiteRouteServices {
  readonly sites: SiteService;
  readonly registration: SiteRegistration;
  readonly siteChanges: SiteChanges;
  readonly siteMoving: SiteMoving;
  readonly siteRelease: SiteRelease;
  readonly siteReplacement: SiteReplacement;
}

export function siteRoutes(
  api: Api,
  { sites, registration, siteChanges, siteMoving, siteRelease, siteReplacement }: SiteRouteServices,
): void {
  api.serve(cloudOperations.listSites, (request) => sites.list(callerOf(request), request.query));

  api.serve(cloudOperations.countSites, (request) => sites.counts(callerOf(request), request.query));

  api.serve(cloudOperations.listLocalSites, (request) => sites.local(callerOf(request), request.query));

  api.serve(cloudOperations.registerSite, (request) =>
    registration.register(callerOf(request), request.body),
  );

  api.serve(cloudOperations.getSite, (request) => sites.show(callerOf(request), request.params.id));

  api.serve(cloudOperations.renameSite, (request) =>
    siteChanges.rename(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.describeSite, (request) =>
    siteChanges.describe(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.setSiteUpdates, (request) =>
    siteChanges.setUpdates(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.setSiteTags, (request) =>
    siteChanges.setTags(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.setSiteInstallation, (request) =>
    siteChanges.setInstallation(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.replaceSiteDevice, (request) =>
    siteReplacement.replace(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.getSiteOrganization, (request) =>
    siteMoving.describe(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.moveSite, async (request) => {
    await siteMoving.move(callerOf(request), request.params.id, request.body);
  });

  api.serve(cloudOperations.releaseSite, async (request) => {
    await siteRelease.release(callerOf(request), request.params.id);
  });

  api.serve(cloudOperations.authorizeSite, (request) =>
    sites.authorize(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.probeSite, (request) => sites.reachability(callerOf(request), request.params.id));
}
