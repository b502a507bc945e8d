import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { MAX_ID } from '../common/schemas.ts';
import { LocalSite, SiteSummary } from './site.ts';
import { SITE_STATES } from './states.ts';

/** Counts and chosen orders of the list of sites take so many sites, the first ones of the list in its own order. */
export const MAX_SORTED_SITES = 10_000;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_SORTED_SITES, description });

export const SiteCounts = Type.Object({
  hardware_silent: count('Connected, but hardware does not answer the device'),
  offline: count('Not connected now'),
  never_seen: count('The device never reached the cloud'),
  online: count('Connected, and all hardware answers'),
  alerts: Type.Object(
    { critical: count('Critical'), warning: count('A warning'), information: count('Information') },
    { description: 'Of all these, the sites with an open alert, by the severity of the worst one' },
  ),
  complete: Type.Boolean({
    description: `False where more than ${MAX_SORTED_SITES} sites match, of which the first ones are counted`,
  }),
});
export type SiteCounts = Static<typeof SiteCounts>;

const A_MODEL =
  'one of the models that the device reports, the whole list of them, or a driver family, in any letter case';

/** Keys of the search of sites. One that ends with `_` goes on with the name of a parameter. */
export const SITE_SEARCH_KEYS = {
  name: { examples: ['name:demo'], finds: 'the site of that name, in any letter case' },
  id: { examples: ['id:123', 'id:123,456'], finds: 'the site of that id, or all of them' },
  uid: { examples: ['uid:abcdefghijklmnopqrst'], finds: 'the site of a device, in any letter case' },
  inverter: { examples: ['inverter:deye', 'inverter:"Simulated Hybrid 6k"'], finds: A_MODEL },
  battery: { examples: ['battery:pylontech', 'battery:"LFP 5 kWh"'], finds: A_MODEL },
  inverter_params_: { examples: ['inverter_params_phases:3'], finds: 'a value among `inverter_params`' },
  battery_params_: { examples: ['battery_params_cells:16'], finds: 'a value among `battery_params`' },
  last_seen_after: { examples: ['last_seen_after:2026-11-01'], finds: 'devices that called since' },
  build_date_after: { examples: ['build_date_after:2026-11-01'], finds: 'devices whose software is newer' },
  region: { examples: ['region:us'], finds: 'a region of proxies' },
  online: {
    examples: ['online:true', 'online:false'],
    finds: "whether a proxy has the device's connection now",
  },
  state: {
    examples: ['state:online', 'state:hardware_silent', 'state:offline', 'state:never_seen'],
    finds: 'the state of a site',
  },
  alert: {
    examples: ['alert:critical', 'alert:warning', 'alert:information', 'alert:any', 'alert:none'],
    finds: 'the severity of the worst open alert of a site',
  },
  tag: { examples: ['tag:south', 'tag:"service contract"'], finds: 'a tag of a site, in any letter case' },
  channel: { examples: ['channel:beta', 'channel:stable'], finds: 'the release channel of the device' },
  version: { examples: ['version:0.1.0'], finds: 'the release of the software on the device' },
  user_id: { examples: ['user_id:123'], finds: 'sites that an account owns or is a member of' },
} as const satisfies Readonly<
  Record<string, { readonly examples: readonly string[]; readonly finds: string }>
>;
export type SiteSearchKey = keyof typeof SITE_SEARCH_KEYS;

const KEY_LIST = Object.values(SITE_SEARCH_KEYS)
  .map(({ examples, finds }) => `${examples.map((example) => `\`${example}\``).join(' ')}: ${finds}`)
  .join('; ');

/** Orders of the list of sites that a caller can choose. */
export const SITE_SORTS = ['attention', 'name', 'customer', 'last_seen'] as const;
export type SiteSort = (typeof SITE_SORTS)[number];

const filterFields = {
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: `Words to search for, and filters written key:value, values with spaces in quotes. ${KEY_LIST}.`,
    }),
  ),
  organization_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ID,
      description: 'Only sites of that organization, or shared with it',
    }),
  ),
};

export const SiteFilterQuery = Type.Object(filterFields);
export type SiteFilterQuery = Static<typeof SiteFilterQuery>;

export const SiteListQuery = Type.Object({
  ...PageQuery.properties,
  ...filterFields,
  sort: Type.Optional(
    Type.Enum([...SITE_SORTS], {
      description: `attention: by the worst open alert, critical ones first, and then by state, in the order ${SITE_STATES.join(', ')}; customer: by the name of the owner. What is unknown comes last, and among equals the name decides. Without it operators have the newest first, and others their sites by name. Of more than ${MAX_SORTED_SITES} sites that match it sorts the first ones in that order`,
    }),
  ),
  direction: Type.Optional(
    Type.Enum(['ascending', 'descending'], { description: 'Of the sort; ascending by default' }),
  ),
});
export type SiteListQuery = Static<typeof SiteListQuery>;

export const LocalSitesQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 1000, description: 'uid:<uid> asks which site has this device' }),
  ),
});
export type LocalSitesQuery = Static<typeof LocalSitesQuery>;

export const siteListOperations = operations('sites', {
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
});
