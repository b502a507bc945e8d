import { RELEASE_CHANNELS } from '@heliograph/kit/versions';
import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { nullable, Uid } from '../common/schemas.ts';
import { SITE_PERMISSIONS } from '../common/site-permissions.ts';
import { NOT_BLANK_PATTERN, PlainLines } from '../text/plain-text.ts';
import { SiteOpenAlerts } from './alerts.ts';
import { SiteHistoryConsent, SiteNewestValues } from './history.ts';
import { SiteMember } from './members.ts';
import { SITE_STATES } from './states.ts';

export const PeakPower = nullable(
  Type.Number({
    minimum: 0.001,
    maximum: 100_000,
    description: 'Peak power of the modules in kWp; null until it is entered',
  }),
);
const LOCATION = 'In degrees, WGS 84; null until it is entered, and for callers who may not manage the site';
export const Latitude = nullable(Type.Number({ minimum: -90, maximum: 90, description: LOCATION }));
export const Longitude = nullable(Type.Number({ minimum: -180, maximum: 180, description: LOCATION }));

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

export const LocalSite = Type.Object({
  id: Type.Integer(),
  local_ip: text("The device's address on the network that it shares with the caller"),
  url: text('Where the site can be browsed; null while unnamed'),
  last_seen_at: dateTime('When the device last reached the cloud'),
  uid_match: Type.Boolean({ description: 'Whether it is the device that was asked for' }),
});
export type LocalSite = Static<typeof LocalSite>;

export const siteOperations = operations('sites', {
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
    permission: 'read',
    params: SiteParams,
    answers: { 200: Site },
    refusals: [404],
  },

  renameSite: {
    route: 'PATCH /api/v1/sites/{id}/name',
    summary: 'Give a site another name, and with it another hostname',
    requires: ['sites:write_all'],
    permission: 'manage',
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
    permission: 'own',
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
    permission: 'own',
    params: SiteParams,
    body: ReplaceSiteDeviceBody,
    answers: { 200: SiteSummary },
    refusals: [404, 422, 429],
  },
});
