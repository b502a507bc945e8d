import { Type } from 'typebox';
import { EnergyAnswer, EnergyQuery } from '../schemas/energy.ts';
import { HistoryAnswer } from '../schemas/history.ts';
import { SiteBackup } from '../schemas/site-backups.ts';
import { SetSiteHistoryConsentBody, SiteHistoryConsent, SiteHistoryQuery } from '../schemas/site-history.ts';
import { SiteInstallation } from '../schemas/site-installation.ts';
import { SiteCounts } from '../schemas/site-states.ts';
import { SetSiteTagsBody, SiteTags } from '../schemas/site-tags.ts';
import {
  AuthorizeSiteQuery,
  DescribeSiteBody,
  LocalSite,
  LocalSitesQuery,
  MoveSiteBody,
  OfflineSiteBody,
  RegisterSiteBody,
  RenameSiteBody,
  ReplaceSiteDeviceBody,
  Site,
  SiteAuthorization,
  SiteFilterQuery,
  SiteListQuery,
  SiteOrganization,
  SiteParams,
  SiteReachability,
  SiteSummary,
  SiteUpdates,
  SiteWithToken,
} from '../schemas/sites.ts';
import { NoContent, operations } from './operation.ts';

export const siteOperations = operations('sites', {
  listSites: {
    route: 'GET /api/v1/sites',
    summary: 'Sites that the account sees: the newest first for operators, by name for everybody else',
    requires: ['sites:read_all'],
    query: SiteListQuery,
    answers: { 200: Type.Array(SiteSummary) },
  },

  countSites: {
    route: 'GET /api/v1/sites/counts',
    summary: 'How many of the sites that match are in each state',
    requires: ['sites:read_all'],
    query: SiteFilterQuery,
    answers: { 200: SiteCounts },
  },

  listLocalSites: {
    route: 'GET /api/v1/sites/local',
    summary: "Sites whose devices are on the caller's own network",
    requires: ['sites:read_all'],
    query: LocalSitesQuery,
    answers: { 200: Type.Array(LocalSite) },
  },

  registerSite: {
    route: 'POST /api/v1/sites/register',
    summary: "Make a device the account's own site",
    description:
      'A device that was released is not activated again until a registration code proves that the caller has it: without one the refusal is 422 with the `next_step` registration_code.',
    requires: ['sites:write_all'],
    body: RegisterSiteBody,
    answers: { 200: SiteWithToken },
    refusals: [404, 422, 429],
  },

  getSite: {
    route: 'GET /api/v1/sites/{id}',
    summary: 'One site, with its members',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    answers: { 200: Site },
    refusals: [404],
  },

  renameSite: {
    route: 'PATCH /api/v1/sites/{id}/name',
    summary: 'Give a site another name, and with it another hostname',
    requires: ['sites:write_all'],
    params: SiteParams,
    body: RenameSiteBody,
    answers: { 200: SiteWithToken },
    refusals: [404, 422],
  },

  releaseSite: {
    route: 'DELETE /api/v1/sites/{id}',
    summary: 'Releases a site: it ends, and its device can be registered again',
    description:
      'For the owner, and operators; in a session with a sign-in within 15 minutes. Roles, shares and connections of the site end at once, with every stream to the device, which keeps its history. The name is free.',
    requires: ['sites:write_all'],
    params: SiteParams,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },

  replaceSiteDevice: {
    route: 'POST /api/v1/sites/{id}/device',
    summary: 'Gives a site another device, in place of one that broke',
    description:
      'For the owner, and operators; in a session with a sign-in within 15 minutes. The site keeps its name, members and tokens. The former device is revoked at once, and the new one takes over its activation. One that was released takes its registration code, as in registering.',
    requires: ['sites:write_all'],
    params: SiteParams,
    body: ReplaceSiteDeviceBody,
    answers: { 200: SiteSummary },
    refusals: [404, 422, 429],
  },

  listSiteBackups: {
    route: 'GET /api/v1/sites/{id}/backups',
    summary: 'The backups of its device that the cloud keeps, the newest first',
    description:
      'For owners and admins. The device encrypted them: only the recovery code of its owner opens them.',
    requires: ['sites:read_all'],
    params: SiteParams,
    answers: { 200: Type.Array(SiteBackup) },
    refusals: [403, 404],
  },

  getSiteEnergy: {
    route: 'GET /api/v1/sites/{id}/energy',
    summary: 'Energy of a site by hour, day, week, month or year, as the cloud keeps it',
    description:
      'As `GET /api/v1/energy` of its device, also while that is offline; up to 15 minutes behind it. 409 where the cloud keeps nothing of the site: its owner has not agreed, or its device has not sent anything yet.',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    query: EnergyQuery,
    answers: { 200: EnergyAnswer },
    refusals: [404, 409],
  },

  getSiteHistory: {
    route: 'GET /api/v1/sites/{id}/history',
    summary: 'Means of a quarter of an hour of the totals of a site, as the cloud keeps them',
    description:
      'As `GET /api/v1/history` of its device for the totals, in steps of 15 minutes, for 31 days at most. 409 as for the energy.',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    query: SiteHistoryQuery,
    answers: { 200: HistoryAnswer },
    refusals: [404, 409],
  },

  getSiteHistoryConsent: {
    route: 'GET /api/v1/sites/{id}/history_consent',
    summary: 'Whether the owner of a site agreed that the cloud keeps its history',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    answers: { 200: SiteHistoryConsent },
    refusals: [404],
  },

  setSiteHistoryConsent: {
    route: 'PUT /api/v1/sites/{id}/history_consent',
    summary: 'Agree that the cloud keeps the history of a site, or withdraw that',
    description:
      'For the owner alone. Its device sends the last year within 15 minutes, and goes on every 15 minutes. Withdrawing deletes what is kept; so does another owner, who is asked again.',
    requires: ['sites:write_all'],
    params: SiteParams,
    body: SetSiteHistoryConsentBody,
    answers: { 200: SiteHistoryConsent },
    refusals: [403, 404],
  },

  getSiteOrganization: {
    route: 'GET /api/v1/sites/{id}/organization',
    summary: 'The organization that a site belongs to, and those that the caller may move it to',
    requires: ['sites:write_all'],
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
    params: SiteParams,
    body: MoveSiteBody,
    invalidFields: 422,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },

  describeSite: {
    route: 'PATCH /api/v1/sites/{id}',
    summary: 'Give a site another description',
    requires: ['sites:write_all'],
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
    params: SiteParams,
    body: SiteInstallation,
    invalidFields: 422,
    answers: { 200: SiteInstallation },
    refusals: [403, 404],
  },

  authorizeSite: {
    route: 'POST /api/v1/sites/{id}/authorize',
    summary: "Issue a token for a site's live data and settings; changes nothing on the site",
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    query: AuthorizeSiteQuery,
    answers: { 200: SiteAuthorization },
    refusals: [404],
  },

  probeSite: {
    route: 'PUT /api/v1/sites/{id}/offline',
    summary: 'Look whether a site answers that seems to be offline',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    body: OfflineSiteBody,
    isBodyOptional: true,
    answers: { 200: SiteReachability },
    refusals: [404],
  },
});
