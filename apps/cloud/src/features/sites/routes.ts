import {
  ListQuery,
  RegisterSiteBody,
  Site,
  SiteAuthorization,
  SiteParams,
  SiteSummary,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { SiteService } from './service.ts';

export function siteRoutes(app: App, sites: SiteService, guards: Guards): void {
  app.get(
    '/api/v1/sites',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: { querystring: ListQuery, response: { 200: Type.Array(SiteSummary) } },
    },
    (request) => sites.list(callerOf(request), request.query),
  );

  app.post(
    '/api/v1/sites/register',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: { body: RegisterSiteBody, response: { 200: SiteSummary } },
    },
    (request) => sites.register(callerOf(request), request.body),
  );

  app.get(
    '/api/v1/sites/:id',
    {
      onRequest: guards.scope('sites:read_all', 'sites:read_single'),
      schema: { params: SiteParams, response: { 200: Site } },
    },
    (request) => sites.show(callerOf(request), request.params.id),
  );

  app.post(
    '/api/v1/sites/:id/authorize',
    {
      onRequest: guards.scope('sites:read_all', 'sites:read_single'),
      schema: { params: SiteParams, response: { 200: SiteAuthorization } },
    },
    (request) => sites.authorize(callerOf(request), request.params.id),
  );
}
