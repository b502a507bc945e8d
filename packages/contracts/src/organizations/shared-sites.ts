import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { Id } from '../common/schemas.ts';

/** `POST /api/v1/organization_sites`, with an OAuth token for the same site. */
export const ShareSiteBody = Type.Object({
  site_id: Type.Integer({ description: 'The site that the token was given for' }),
});
export type ShareSiteBody = Static<typeof ShareSiteBody>;

export const OrganizationSite = Type.Object({
  organization_id: Type.Integer({ description: 'The organization whose application asked' }),
  site_id: Type.Integer(),
  access: Type.Literal('read', {
    description:
      'Employees of the organization see the site. Its tokens change nothing there, not even those of members of the site, who use a token of no organization',
  }),
});
export type OrganizationSite = Static<typeof OrganizationSite>;

export const OrganizationSiteParams = Type.Object({ organization_id: Id, site_id: Id });

export const organizationSiteOperations = operations('organizations', {
  addOrganizationSite: {
    route: 'POST /api/v1/organization_sites',
    summary: "Let the organization of the caller's application read the site, for good",
    requires: ['sites:read_single'],
    body: ShareSiteBody,
    answers: { 200: OrganizationSite },
    refusals: [404],
    errorShape: 'nested',
  },

  removeOrganizationSite: {
    route: 'DELETE /api/v1/organization_sites/{organization_id}/{site_id}',
    summary: 'Take a shared site away from an organization; for operators',
    requires: ['sites:write_all'],
    params: OrganizationSiteParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
