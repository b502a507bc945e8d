import { Type } from 'typebox';
import { AuditEntry, AuditQuery, OrganizationAuditQuery } from '../schemas/audit.ts';
import { OrganizationParams } from '../schemas/organizations.ts';
import { PageQuery } from '../schemas/page.ts';
import { SiteParams } from '../schemas/sites.ts';
import { operations } from './operation.ts';

export const auditOperations = operations('audit', {
  listSiteAudit: {
    route: 'GET /api/v1/sites/{id}/audit',
    summary: 'What happened to a site, the newest first',
    requires: ['sites:read_all'],
    params: SiteParams,
    query: PageQuery,
    answers: { 200: Type.Array(AuditEntry) },
    refusals: [404],
  },

  listOrganizationAudit: {
    route: 'GET /api/v1/organizations/{id}/audit',
    summary: 'What happened in an organization, the newest first',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    query: OrganizationAuditQuery,
    answers: { 200: Type.Array(AuditEntry) },
    refusals: [404],
  },

  listOwnAudit: {
    route: 'GET /api/v1/user/audit',
    summary:
      'What happened to the own account: sign-ins, failed ones too, tokens and consents, the newest first',
    requires: 'session',
    query: PageQuery,
    answers: { 200: Type.Array(AuditEntry) },
  },

  listAudit: {
    route: 'GET /api/v1/audit',
    summary: 'What happened anywhere, the newest first; for operators',
    requires: ['sites:read_all'],
    query: AuditQuery,
    answers: { 200: Type.Array(AuditEntry) },
  },
});
