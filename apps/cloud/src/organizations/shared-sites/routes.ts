import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { OrganizationSiteService } from './service.ts';

export function organizationSiteRoutes(api: Api, shares: OrganizationSiteService): void {
  api.serve(cloudOperations.addOrganizationSite, (request) => shares.share(callerOf(request), request.body));

  api.serve(cloudOperations.removeOrganizationSite, async (request) => {
    const { organization_id: organizationId, site_id: siteId } = request.params;
    await shares.unshare(callerOf(request), { organizationId, siteId });
  });
}
