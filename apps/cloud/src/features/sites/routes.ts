import {
  AuthorizeSiteQuery,
  DescribeSiteBody,
  LocalSite,
  LocalSitesQuery,
  OfflineSiteBody,
  RegisterSiteBody,
  RenameSiteBody,
  Site,
  SiteAuthorization,
  SiteListQuery,
  SiteParams,
  SiteReachability,
  SiteSummary,
  SiteWithToken,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { optionalBody } from '../../http/optional-body.ts';
import type { SiteRegistration } from './registration.ts';
import type { SiteService } from './service.ts';

interface SiteRouteServices {
  readonly sites: SiteService;
  readonly registration: SiteRegistration;
}

export function siteRoutes(app: App, { sites, registration }: SiteRouteServices, guards: Guards): void {
  app.get(
    '/api/v1/sites',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'Sites that the account sees: the newest first for operators, by name for everybody else',
        tags: ['sites'],
        operationId: 'listSites',
        querystring: SiteListQuery,
        response: { 200: Type.Array(SiteSummary) },
      },
    },
    (request) => sites.list(callerOf(request), request.query),
  );

  app.get(
    '/api/v1/sites/local',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: "Sites whose devices are on the caller's own network",
        tags: ['sites'],
        operationId: 'listLocalSites',
        querystring: LocalSitesQuery,
        response: { 200: Type.Array(LocalSite) },
      },
    },
    (request) => sites.local(callerOf(request), request.query),
  );

  app.post(
    '/api/v1/sites/register',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: "Make a device the account's own site",
        tags: ['sites'],
        operationId: 'registerSite',
        body: RegisterSiteBody,
        response: { 200: SiteWithToken },
      },
    },
    (request) => registration.register(callerOf(request), request.body),
  );

  app.get(
    '/api/v1/sites/:id',
    {
      onRequest: guards.scope('sites:read_all', 'sites:read_single'),
      schema: {
        summary: 'One site, with its members',
        tags: ['sites'],
        operationId: 'getSite',
        params: SiteParams,
        response: { 200: Site },
      },
    },
    (request) => sites.show(callerOf(request), request.params.id),
  );

  app.patch(
    '/api/v1/sites/:id/name',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Give a site another name, and with it another hostname',
        tags: ['sites'],
        operationId: 'renameSite',
        params: SiteParams,
        body: RenameSiteBody,
        response: { 200: SiteWithToken },
      },
    },
    (request) => registration.rename(callerOf(request), request.params.id, request.body),
  );

  app.patch(
    '/api/v1/sites/:id',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(DescribeSiteBody),
      schema: {
        summary: 'Give a site another description',
        tags: ['sites'],
        operationId: 'describeSite',
        params: SiteParams,
        body: DescribeSiteBody,
        response: { 200: SiteSummary },
      },
    },
    (request) => registration.describe(callerOf(request), request.params.id, request.body),
  );

  app.post(
    '/api/v1/sites/:id/authorize',
    {
      onRequest: guards.scope('sites:read_all', 'sites:read_single'),
      schema: {
        summary: "Issue a token for a site's live data and settings; changes nothing on the site",
        tags: ['sites'],
        operationId: 'authorizeSite',
        params: SiteParams,
        querystring: AuthorizeSiteQuery,
        response: { 200: SiteAuthorization },
      },
    },
    (request) => sites.authorize(callerOf(request), request.params.id, request.query),
  );

  app.put(
    '/api/v1/sites/:id/offline',
    {
      onRequest: guards.scope('sites:read_all', 'sites:read_single'),
      preValidation: optionalBody,
      schema: {
        summary: 'Look whether a site answers that seems to be offline',
        tags: ['sites'],
        operationId: 'probeSite',
        params: SiteParams,
        body: OfflineSiteBody,
        response: { 200: SiteReachability },
      },
    },
    (request) => sites.reachability(callerOf(request), request.params.id),
  );
}
