import type { Api } from '@heliograph/http/api';
import { serveUseCases } from '../../http/use-cases.ts';
import type { SitePlatform } from '../platform.ts';
import { authorizeSite, probeSite } from './access.ts';
import * as changes from './changes.ts';
import { getSite } from './get-site.ts';
import { countSites, listLocalSites, listSites } from './list-sites.ts';
import { getSiteOrganization, moveSite } from './moving.ts';
import { registerSite } from './registration.ts';
import { releaseSite } from './release.ts';
import { replaceSiteDevice } from './replacement.ts';

export function siteRoutes(api: Api, platform: SitePlatform): void {
  serveUseCases(api, platform, {
    ...{ listSites, countSites, listLocalSites, registerSite, getSite, ...changes },
    ...{ replaceSiteDevice, getSiteOrganization, moveSite, releaseSite, authorizeSite, probeSite },
  });
}
