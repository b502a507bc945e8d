import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { nullable } from '../common/schemas.ts';
import { PlainLines, PlainName } from '../text/plain-text.ts';
import { Latitude, Longitude, PeakPower, SiteSummary, SiteUpdates } from './site.ts';

/** As with the name, one that is too long gets a message for its field. */
export const DescribeSiteBody = Type.Object({
  description: nullable(PlainLines({ maxLength: 1000, description: 'Any text; null removes it' })),
});
export type DescribeSiteBody = Static<typeof DescribeSiteBody>;

/** Most tags of a site. */
export const MAX_SITE_TAGS = 20;
/** Longest tag, in characters. */
export const MAX_TAG_LENGTH = 40;

export const SetSiteTagsBody = Type.Object({
  tags: Type.Array(PlainName({ maxLength: MAX_TAG_LENGTH }), {
    maxItems: MAX_SITE_TAGS,
    description:
      'All tags of the site, without commas. Of those that differ in letter case only, the first one stays',
  }),
});
export type SetSiteTagsBody = Static<typeof SetSiteTagsBody>;

export const SiteTags = Type.Object({
  tags: Type.Array(Type.String(), { description: 'In the order of names' }),
});
export type SiteTags = Static<typeof SiteTags>;

/** Facts of a site that those who manage it enter. */
export const SiteInstallation = Type.Object({
  peak_power_kwp: PeakPower,
  latitude: Latitude,
  longitude: Longitude,
});
export type SiteInstallation = Static<typeof SiteInstallation>;

export const siteSettingOperations = operations('sites', {
  describeSite: {
    route: 'PATCH /api/v1/sites/{id}',
    summary: 'Give a site another description',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    body: DescribeSiteBody,
    invalidFields: 422,
    answers: { 200: SiteSummary },
    refusals: [404],
  },

  setSiteUpdates: {
    route: 'PUT /api/v1/sites/{id}/updates',
    summary: "Choose which releases a site's device takes, and whether it updates without a request",
    description:
      'For owners and admins of the site. The device learns it at its next call of the cloud, which is within a day. Its own configuration comes first: `channel` and `automatic_updates` of device.yaml.',
    requires: ['sites:write_all'],
    permission: 'configure',
    params: SiteParams,
    body: SiteUpdates,
    answers: { 200: SiteUpdates },
    refusals: [403, 404],
  },

  setSiteTags: {
    route: 'PUT /api/v1/sites/{id}/tags',
    summary: 'Set the tags of a site',
    description: 'For those who manage the site. All who see a site see its tags.',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    body: SetSiteTagsBody,
    invalidFields: 422,
    answers: { 200: SiteTags },
    refusals: [403, 404],
  },

  setSiteInstallation: {
    route: 'PUT /api/v1/sites/{id}/installation',
    summary: 'Set the peak power of a site, and where it is',
    description: 'For those who manage the site. Latitude and longitude come together, or neither.',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    body: SiteInstallation,
    invalidFields: 422,
    answers: { 200: SiteInstallation },
    refusals: [403, 404],
  },
});
