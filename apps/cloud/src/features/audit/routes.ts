import { AuditEntry, AuditQuery, OrganizationParams, PageQuery, SiteParams } from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { AuditService } from './service.ts';

export function auditRoutes(app: App, audit: AuditService, guards: Guards): void {
  const response = { 200: Type.Array(AuditEntry) };

  app.get(
    '/api/v1/sites/:id/audit',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'What happened to a site, the newest first',
        tags: ['audit'],
        operationId: 'listSiteAudit',
        params: SiteParams,
        querystring: PageQuery,
        response,
      },
    },
    (request) => audit.ofSite(callerOf(request), request.params.id, request.query),
  );

  app.get(
    '/api/v1/organizations/:id/audit',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'What happened in an organization, the newest first',
        tags: ['audit'],
        operationId: 'listOrganizationAudit',
        params: OrganizationParams,
        querystring: PageQuery,
        response,
      },
    },
    (request) => audit.ofOrganization(callerOf(request), request.params.id, request.query),
  );

  app.get(
    '/api/v1/user/audit',
    {
      onRequest: guards.session,
      schema: {
        summary:
          'What happened to the own account: sign-ins, failed ones too, tokens and consents, the newest first',
        tags: ['audit'],
        operationId: 'listOwnAudit',
        querystring: PageQuery,
        response,
      },
    },
    (request) => audit.ofCaller(callerOf(request), request.query),
  );

  app.get(
    '/api/v1/audit',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'What happened anywhere, the newest first; for operators',
        tags: ['audit'],
        operationId: 'listAudit',
        querystring: AuditQuery,
        response,
      },
    },
    (request) => audit.all(callerOf(request), request.query),
  );
}
