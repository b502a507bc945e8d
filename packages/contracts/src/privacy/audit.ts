import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { OrganizationParams, SiteParams } from '../common/params.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';

const Person = Type.Object({ id: Type.Integer(), email: Type.String(), name: Type.String() });

export const AuditEntry = Type.Object({
  id: Type.Integer(),
  at: DateTime,
  action: Type.String({ description: '<noun>.<what happened>, such as site_member.added' }),
  actor: nullable(
    Type.Object(Person.properties, {
      description: "Null for a device, the operator's command line and the service itself",
    }),
  ),
  via: Type.String({ description: 'api, admin (the command line), device or service' }),
  address: nullable(Type.String({ description: 'The address the request came from' })),
  site_id: nullable(Type.Integer()),
  site_name: nullable(Type.String({ description: 'What the site is called now' })),
  organization_id: nullable(Type.Integer()),
  organization_name: nullable(Type.String({ description: 'What the organization is called now' })),
  user_id: nullable(Type.Integer({ description: 'The account that it happened to' })),
  user: nullable(
    Type.Object(Person.properties, { description: 'The account that it happened to, as it is now' }),
  ),
  device_uid: nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What changed, often as from and to',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Of an organization's log, and of all. */
export const OrganizationAuditQuery = Type.Object({
  ...PageQuery.properties,
  actor_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The account that did it' }),
  ),
  user_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The account that it happened to' }),
  ),
  site_id: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 64 })),
  device_uid: Type.Optional(Type.String({ maxLength: 64 })),
});
export type OrganizationAuditQuery = Static<typeof OrganizationAuditQuery>;

export const AuditQuery = Type.Object({
  ...OrganizationAuditQuery.properties,
  organization_id: Type.Optional(Id),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const auditOperations = operations('audit', {
  listSiteAudit: {
    route: 'GET /api/v1/sites/{id}/audit',
    summary: 'What happened to a site, the newest first',
    requires: ['sites:read_all'],
    permission: 'audit',
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
