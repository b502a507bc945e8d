import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { SitePlatform } from '../platform.ts';
import * as changes from './changes.ts';
import { getSiteOrganization, moveSite } from './moving.ts';
import type { SiteRegistration } from './registration.ts';
import { releaseSite } from './release.ts';
import { replaceSiteDevice } from './replacement.ts';
import type { SiteService } from './service.ts';

interface SiteRouteServices {
  readonly sites: SiteService;
  readonly registration: SiteRegistration;
}

export function siteRoutes(
  api: Api,
  platform: SitePlatform,
  { sites, registration }: SiteRouteServices,
): void {
  api.serve(cloudOperations.listSites, (request) => sites.list(callerOf(request), request.query));

  api.serve(cloudOperations.countSites, (request) => sites.counts(callerOf(request), request.query));

  api.serve(cloudOperations.listLocalSites, (request) => sites.local(callerOf(request), request.query));

  api.serve(cloudOperations.registerSite, (request) =>
    registration.register(callerOf(request), request.body),
  );

  api.serve(cloudOperations.getSite, (request) => sites.show(callerOf(request), request.params.id));

  serveUseCases(api, platform, {
    ...changes,
    ...{ replaceSiteDevice, getSiteOrganization, moveSite, releaseSite },
  });

  api.serve(cloudOperations.authorizeSite, (request) =>
    sites.authorize(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.probeSite, (request) => sites.reachability(callerOf(request), request.params.id));
}
