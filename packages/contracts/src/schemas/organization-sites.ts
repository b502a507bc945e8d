import { type Static, Type } from 'typebox';
import { MAX_ID } from './common.ts';

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

const id = Type.Integer({ minimum: 1, maximum: MAX_ID });
export const OrganizationSiteParams = Type.Object({ organization_id: id, site_id: id });
