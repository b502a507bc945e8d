import { OrganizationSite, OrganizationSiteParams, ShareSiteBody } from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { nestErrors } from '../../http/nested-errors.ts';
import type { OrganizationSiteService } from './service.ts';

export function organizationSiteRoutes(app: App, shares: OrganizationSiteService, guards: Guards): void {
  app.post(
    '/api/v1/organization_sites',
    {
      onRequest: guards.scope('sites:read_single'),
      preSerialization: nestErrors,
      schema: {
        summary: "Let the organization of the caller's application read the site, for good",
        tags: ['organizations'],
        operationId: 'addOrganizationSite',
        body: ShareSiteBody,
        response: { 200: OrganizationSite },
      },
    },
    (request) => shares.share(callerOf(request), request.body),
  );

  app.delete(
    '/api/v1/organization_sites/:organization_id/:site_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Take a shared site away from an organization; for operators',
        tags: ['organizations'],
        operationId: 'removeOrganizationSite',
        params: OrganizationSiteParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { organization_id: organizationId, site_id: siteId } = request.params;
      await shares.unshare(callerOf(request), { organizationId, siteId });
      return reply.code(204).send(null);
    },
  );
}
