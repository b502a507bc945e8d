import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '../../http/api.ts';
import { callerOf } from '../../http/guards.ts';
import type { OrganizationSiteService } from './service.ts';

export function organizationSiteRoutes(api: Api, shares: OrganizationSiteService): void {
  api.serve(cloudOperations.addOrganizationSite, (request) => shares.share(callerOf(request), request.body));

  api.serve(cloudOperations.removeOrganizationSite, async (request) => {
    const { organization_id: organizationId, site_id: siteId } = request.params;
    await shares.unshare(callerOf(request), { organizationId, siteId });
  });
}
