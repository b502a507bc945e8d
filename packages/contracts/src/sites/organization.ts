import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { MAX_ID, nullable } from '../common/schemas.ts';

export const MoveSiteBody = Type.Object({
  organization_id: nullable(Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Null for none' })),
});
export type MoveSiteBody = Static<typeof MoveSiteBody>;

export const SiteOrganization = Type.Object({
  organization_id: nullable(Type.Integer()),
  choices: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), {
    description: 'Organizations that the caller may move the site to, by name; at most 200',
  }),
});
export type SiteOrganization = Static<typeof SiteOrganization>;

export const siteOrganizationOperations = operations('sites', {
  getSiteOrganization: {
    route: 'GET /api/v1/sites/{id}/organization',
    summary: 'The organization that a site belongs to, and those that the caller may move it to',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    answers: { 200: SiteOrganization },
    refusals: [403, 404],
  },

  moveSite: {
    route: 'PUT /api/v1/sites/{id}/organization',
    summary: 'Moves a site to another organization, or to none',
    description:
      'For owners and admins of the site, of its organization, and operators; in a session with a sign-in within 15 minutes. Owners and admins of the site move it to an organization where their account may sign in, operators to any, the organization itself to none. Employees of the former organization lose the site at once. Its owner is mailed when another person did it.',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    body: MoveSiteBody,
    invalidFields: 422,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },
});
