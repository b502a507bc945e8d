import { RELEASE_CHANNELS } from '@heliograph/kit/versions';
import { type Static, Type } from 'typebox';
import { MAX_ID, nullable, Uid } from './common.ts';
import { PageQuery } from './page.ts';
import { NOT_BLANK_PATTERN, PlainLines } from './plain-text.ts';
import { SiteOpenAlerts } from './site-alerts.ts';
import { SiteHistoryConsent, SiteNewestValues } from './site-history.ts';
import { Latitude, Longitude, PeakPower } from './site-installation.ts';
import { SITE_PERMISSIONS, SiteMember } from './site-members.ts';
import { MAX_SORTED_SITES, SITE_STATES } from './site-states.ts';

const dateTime = (description: string) => nullable(Type.String({ format: 'date-time', description }));
const text = (description: string, ...examples: string[]) =>
  nullable(Type.String({ description, ...(examples.length > 0 && { examples }) }));

const summaryFields = {
  id: Type.Integer(),
  name: text("Also the site's hostname on the proxy; null until the site is named", 'demo'),
  description: text('What its owner says of it', 'The barn'),
  proxy: text('The proxy that the device is connected to, or was last', 'us-1'),
  arch: text(
    'CPU architecture of the device; null, like all that the device tells, until it called',
    'arm64',
  ),
  board: text('Model of the single-board computer', 'Raspberry Pi 5'),
  beta: Type.Boolean({
    description:
      'Whether the device takes beta releases: as chosen for the site, or by its own configuration, which comes first',
  }),
  version: text('Release of the software on the device', '0.1.0'),
  build_date: dateTime('Build date of the software on the device'),
  online: Type.Boolean({ description: "Whether a proxy has the device's connection now" }),
  state: Type.Enum([...SITE_STATES], {
    description:
      'online; hardware_silent: online, but hardware does not answer the device; offline; never_seen: its device never reached the cloud',
  }),
  last_seen_at: dateTime('When the device last reached the cloud; kept when it goes quiet'),
  hardware_silent_since: dateTime(
    'Since when hardware of the site has not answered its device, as that reported last; null while all of it answers',
  ),
  local_ip: text(
    "The device's address on the customer's network; with its port where that is not 80",
    '192.168.1.20',
  ),
  inverter: text('Configured inverter model', 'Simulated hybrid'),
  inverter_count: Type.Integer(),
  inverter_params: Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form keys' }),
  battery: text('Configured battery or BMS model', 'Simulated 10 kWh'),
  battery_count: Type.Integer(),
  battery_params: Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form keys' }),
  owner: SiteMember,
  url: text('Where the site can be browsed; null while unnamed', 'https://demo.us.example.org'),
  newest_values: nullable(SiteNewestValues),
  open_alerts: SiteOpenAlerts,
  tags: Type.Array(Type.String(), {
    description: 'Words of those who look after the site, in the order of names',
  }),
  peak_power_kwp: PeakPower,
  latitude: Latitude,
  longitude: Longitude,
};

export const SiteSummary = Type.Object(summaryFields);
export type SiteSummary = Static<typeof SiteSummary>;

/** The answer to registering and renaming. */
export const SiteWithToken = Type.Object({
  ...summaryFields,
  token: Type.Optional(
    Type.String({
      description:
        'A site token, as authorize issues it; absent when the token of the request may not read sites',
    }),
  ),
});
export type SiteWithToken = Static<typeof SiteWithToken>;

export const SiteUpdates = Type.Object({
  channel: Type.Enum([...RELEASE_CHANNELS], {
    description: "Which releases the device takes, unless the device's own configuration has another channel",
  }),
  automatic: Type.Boolean({
    description: 'Whether the device updates without a request, unless its own configuration forbids it',
  }),
});
export type SiteUpdates = Static<typeof SiteUpdates>;

export const Site = Type.Object({
  ...summaryFields,
  organization: nullable(
    Type.Object({ id: Type.Integer(), name: Type.String(), cloud_host: nullable(Type.String()) }),
  ),
  updates: SiteUpdates,
  history_consent: SiteHistoryConsent,
  users: Type.Array(SiteMember),
  transfer: nullable(
    Type.Object(
      {
        former_owner_id: nullable(
          Type.Integer({
            description:
              'Who can take the site back; null once the role that the handover left to the former owner has ended',
          }),
        ),
        new_owner_has_account: nullable(
          Type.Boolean({
            description:
              'For the former owner alone, null for others: false while the address of the new owner is of no account ' +
              'that a person has set up',
          }),
        ),
        at: Type.String({ format: 'date-time' }),
        until: Type.String({
          format: 'date-time',
          description:
            'When the handover is final: 30 days after it, and as long again each time that the new owner has no account then',
        }),
      },
      {
        description:
          'A handover that the new owner has not accepted: until then, or the time `until`, the former owner can take ' +
          'the site back',
      },
    ),
  ),
  permissions: Type.Array(Type.Enum([...SITE_PERMISSIONS]), {
    description:
      'What the token of the request may do here: `read`; `audit` reads who did what; `connections` sees and ends ' +
      'what third parties read; `share` lets the organization of an application read; `write` changes settings of ' +
      'the hardware; `configure` changes the device itself; `manage` changes name and members; `own` hands the ' +
      'site over; `leave` gives up the own role',
  }),
});
export type Site = Static<typeof Site>;

export const SiteAuthorization = Type.Object({
  host: Type.String({
    description: 'Proxy host for device requests, with its port where it is not the default',
  }),
  site_host: Type.Optional(
    Type.String({ description: "Where the site's web interface is; absent while the site is unnamed" }),
  ),
  site_id: Type.Integer(),
  site_name: Type.Optional(Type.String()),
  site_key: Type.String({ description: 'Goes with the token, in the header Site-Key' }),
  local_ip: Type.Optional(Type.String()),
  token: Type.String({ description: 'Bearer token for the proxy and the device; valid 7 days' }),
});
export type SiteAuthorization = Static<typeof SiteAuthorization>;

export const SiteParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: MAX_ID }) });

export const ListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({ maxLength: 1000, description: 'Words to search for, and filters written key:value' }),
  ),
});
export type ListQuery = Static<typeof ListQuery>;

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

/** A name that is too long or no hostname is refused with a message for its field, not as unreadable. */
export const RegisterSiteBody = Type.Object({
  uid: Uid,
  name: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  description: Type.Optional(nullable(PlainLines({ maxLength: 1000 }))),
  code: Type.Optional(
    nullable(
      Type.String({
        maxLength: 100,
        description:
          'The registration code of a device that was released; case, spaces and dashes do not matter',
      }),
    ),
  ),
});
export type RegisterSiteBody = Static<typeof RegisterSiteBody>;

/** Refusal of a device that was released, without a valid registration code. */
export const RegistrationCodeAnswer = Type.Object({
  error: Type.String(),
  next_step: Type.Literal('registration_code'),
});
export type RegistrationCodeAnswer = Static<typeof RegistrationCodeAnswer>;

export const ReplaceSiteDeviceBody = Type.Object({
  uid: Uid,
  code: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description:
          'An activation code, for a device that needs one; a registration code, for one that was released',
      }),
    ),
  ),
});
export type ReplaceSiteDeviceBody = Static<typeof ReplaceSiteDeviceBody>;

export const AuthorizeSiteQuery = Type.Object({
  roles: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'Extra roles, parted by commas. recovery: a token of 15 minutes for the active support recovery session that lets the caller in, refused with 403 without one; ssh is refused with 403; those nobody knows are passed over',
    }),
  ),
});
export type AuthorizeSiteQuery = Static<typeof AuthorizeSiteQuery>;

/** A name that is missing is unreadable; an empty one, or no hostname, gets a message for its field. */
export const RenameSiteBody = Type.Object({
  name: nullable(
    Type.String({
      maxLength: 10_000,
      pattern: NOT_BLANK_PATTERN,
      description: 'A hostname label, unique in its region',
    }),
  ),
});
export type RenameSiteBody = Static<typeof RenameSiteBody>;

/** As with the name, one that is too long gets a message for its field. */
export const DescribeSiteBody = Type.Object({
  description: nullable(PlainLines({ maxLength: 1000, description: 'Any text; null removes it' })),
});
export type DescribeSiteBody = Static<typeof DescribeSiteBody>;

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

export const LocalSitesQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 1000, description: 'uid:<uid> asks which site has this device' }),
  ),
});
export type LocalSitesQuery = Static<typeof LocalSitesQuery>;

export const LocalSite = Type.Object({
  id: Type.Integer(),
  local_ip: text("The device's address on the network that it shares with the caller"),
  url: text('Where the site can be browsed; null while unnamed'),
  last_seen_at: dateTime('When the device last reached the cloud'),
  uid_match: Type.Boolean({ description: 'Whether it is the device that was asked for' }),
});
export type LocalSite = Static<typeof LocalSite>;

export const OfflineSiteBody = Type.Object({
  uri: Type.Optional(
    nullable(
      Type.String({
        maxLength: 2048,
        description: 'What the caller failed to reach; the cloud does not call it',
      }),
    ),
  ),
});
export type OfflineSiteBody = Static<typeof OfflineSiteBody>;

const SITE_STATUSES = [
  'connected',
  'http_error',
  'disconnected',
  'proxy_unreachable',
  'timeout',
  'not_found',
] as const;

export const SiteReachability = Type.Object({
  reachable: Type.Boolean({ description: 'Whether the device answered through its proxy' }),
  status: Type.Enum([...SITE_STATUSES], {
    description:
      'connected: it answered; http_error: it answered with an error; disconnected: the proxy has no connection to ' +
      'it; proxy_unreachable: the proxy does not answer; timeout: nothing came in time; not_found: the site has no device',
  }),
  status_at: Type.String({
    format: 'date-time',
    description: 'When this was found out, at most a minute ago',
  }),
});
export type SiteReachability = Static<typeof SiteReachability>;
