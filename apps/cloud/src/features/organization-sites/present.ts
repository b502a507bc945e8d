import type { OrganizationSite } from '@heliograph/contracts';
import type { Share } from './repository.ts';

export function presentOrganizationSite({ organizationId, siteId }: Share): OrganizationSite {
  return { organization_id: organizationId, site_id: siteId, access: 'read' };
}
