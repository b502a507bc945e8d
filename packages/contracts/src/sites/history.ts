import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { nullable, Uid } from '../common/schemas.ts';
import { EnergyAnswer, EnergyQuery } from '../readings/energy.ts';
import { HistoryAnswer } from '../readings/history.ts';

/** The totals of a home that the cloud keeps, with their topics, names, units, and the decimals that are kept. */
export const HISTORY_TOTALS = {
  pv_power: { topic: 'total/pv_power', label: 'PV power', unit: 'W', decimals: 0 },
  load_power: { topic: 'total/load_power', label: 'Load power', unit: 'W', decimals: 0 },
  grid_power: { topic: 'total/grid_power', label: 'Grid power', unit: 'W', decimals: 0 },
  battery_power: { topic: 'total/battery_power', label: 'Battery power', unit: 'W', decimals: 0 },
  generator_power: { topic: 'total/generator_power', label: 'Generator power', unit: 'W', decimals: 0 },
  battery_state_of_charge: {
    topic: 'total/battery_state_of_charge',
    label: 'Battery state of charge',
    unit: '%',
    decimals: 1,
  },
  battery_voltage: { topic: 'total/battery_voltage', label: 'Battery voltage', unit: 'V', decimals: 1 },
  battery_current: { topic: 'total/battery_current', label: 'Battery current', unit: 'A', decimals: 1 },
  battery_temperature: {
    topic: 'total/battery_temperature',
    label: 'Battery temperature',
    unit: '°C',
    decimals: 1,
  },
  grid_voltage: { topic: 'total/grid_voltage', label: 'Grid voltage', unit: 'V', decimals: 1 },
  grid_frequency: { topic: 'total/grid_frequency', label: 'Grid frequency', unit: 'Hz', decimals: 2 },
  load_percentage: { topic: 'total/load_percentage', label: 'Load percentage', unit: '%', decimals: 0 },
} as const;
export type HistoryTotal = keyof typeof HISTORY_TOTALS;
export const HISTORY_TOTAL_NAMES = Object.keys(HISTORY_TOTALS) as HistoryTotal[];

/** Energy of an hour that the cloud keeps, in kWh, and for how many seconds of it energy was counted. */
export const HISTORY_ENERGY_FIELDS = [
  'pv',
  'load',
  'battery_in',
  'battery_out',
  'grid_in',
  'grid_out',
  'pv_to_load',
  'pv_to_battery',
  'pv_to_grid',
  'battery_to_load',
  'battery_to_grid',
  'grid_to_load',
  'grid_to_battery',
  'covered_s',
] as const;
export type HistoryEnergyField = (typeof HISTORY_ENERGY_FIELDS)[number];

/** The longest local day has 26 hours. */
export const MAX_QUARTERS = 104;
const MAX_HOURS = MAX_QUARTERS / 4;

/** Most days of one upload. */
export const MAX_HISTORY_DAYS = 7;

/** For so many years the cloud keeps the history of a site. */
export const HISTORY_YEARS = 5;

/** The largest power is that of a power station, in W. */
const Mean = nullable(Type.Number({ minimum: -1e8, maximum: 1e8 }));

const Amount = nullable(Type.Number({ minimum: 0, maximum: 1e6 }));

const LocalDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A date in the time zone of the site',
  examples: ['2026-11-26'],
});

const record = <Name extends string, Value extends ReturnType<typeof Type.Array>>(
  names: readonly Name[],
  value: Value,
) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.Optional(value)])) as Record<
      Name,
      ReturnType<typeof Type.Optional<Value>>
    >,
  );

/** A part of a local day. What is left out or null is unknown, and replaces nothing. */
export const DeviceHistoryDay = Type.Object({
  date: LocalDate,
  time_zone: Type.String({ maxLength: 64, description: 'IANA name', examples: ['Europe/Berlin'] }),
  first_quarter: Type.Integer({
    minimum: 0,
    maximum: MAX_QUARTERS - 1,
    description: 'Where the means begin, in quarters of an hour since the day began',
  }),
  means: Type.Unsafe<Partial<Record<HistoryTotal, (number | null)[]>>>(
    record(HISTORY_TOTAL_NAMES, Type.Array(Mean, { maxItems: MAX_QUARTERS })),
  ),
  first_hour: Type.Integer({
    minimum: 0,
    maximum: MAX_HOURS - 1,
    description:
      'Where the energy begins, in hours of the clock of the site since the day began. A change of the clock within an hour ends it and begins another',
  }),
  energy: Type.Unsafe<Partial<Record<HistoryEnergyField, (number | null)[]>>>(
    record(HISTORY_ENERGY_FIELDS, Type.Array(Amount, { maxItems: MAX_HOURS })),
  ),
});
export type DeviceHistoryDay = Static<typeof DeviceHistoryDay>;

const Watts = (description: string) => nullable(Type.Number({ description: `In W: ${description}` }));

const KwhToday = (description: string) =>
  nullable(Type.Number({ minimum: 0, description: `In kWh since midnight at the site: ${description}` }));

/** The values that a device read last. Null is unknown, or what the site does not have. */
export const SiteNewestValues = Type.Object({
  at: Type.String({ format: 'date-time', description: 'When the device sent them' }),
  date: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: 'The day at the site that the energy is of',
    examples: ['2026-11-26'],
  }),
  pv_power: Watts('what the sun gives'),
  load_power: Watts('what the house uses'),
  grid_power: Watts('from the grid; negative to the grid'),
  battery_power: Watts('into the battery; negative out of it'),
  state_of_charge: nullable(Type.Number({ description: 'Of all batteries, in %' })),
  pv: KwhToday('what the sun gave'),
  load: KwhToday('what the house used'),
  battery_in: KwhToday('what charged the battery'),
  battery_out: KwhToday('what the battery gave'),
  grid_in: KwhToday('what was imported'),
  grid_out: KwhToday('what was exported'),
});
export type SiteNewestValues = Static<typeof SiteNewestValues>;

/** `PUT /api/v1/devices/history`. The device proves its key with the bearer token. */
export const DeviceHistoryQuery = Type.Object({ uid: Uid });
export type DeviceHistoryQuery = Static<typeof DeviceHistoryQuery>;

export const DeviceHistoryBody = Type.Object({
  days: Type.Array(DeviceHistoryDay, { maxItems: MAX_HISTORY_DAYS }),
  newest: nullable(SiteNewestValues),
});
export type DeviceHistoryBody = Static<typeof DeviceHistoryBody>;

export const DeviceHistoryAnswer = Type.Object({
  agreed_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the owner of the site agreed; null: nothing is kept, and nothing is to be sent',
    }),
  ),
});
export type DeviceHistoryAnswer = Static<typeof DeviceHistoryAnswer>;

export const SiteHistoryConsent = Type.Object({
  agreed: Type.Boolean({ description: 'Whether the cloud keeps the history of the site' }),
  decided_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When its present owner decided; null before: nothing is kept',
    }),
  ),
});
export type SiteHistoryConsent = Static<typeof SiteHistoryConsent>;

export const SetSiteHistoryConsentBody = Type.Object({ agreed: Type.Boolean() });
export type SetSiteHistoryConsentBody = Static<typeof SetSiteHistoryConsentBody>;

const When = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      description: `${what}: a date in the time zone of the site, an ISO 8601 date-time with its offset, or seconds (or milliseconds) since 1970`,
      examples: ['2026-11-26'],
    }),
  );

/** `GET /api/v1/sites/{id}/history` */
export const SiteHistoryQuery = Type.Object({
  from: When('The beginning, a day before the end when left out'),
  to: When('The end, which does not belong to it; now when left out'),
});
export type SiteHistoryQuery = Static<typeof SiteHistoryQuery>;

export const siteHistoryOperations = operations('sites', {
  getSiteEnergy: {
    route: 'GET /api/v1/sites/{id}/energy',
    summary: 'Energy of a site by hour, day, week, month or year, as the cloud keeps it',
    description:
      'As `GET /api/v1/energy` of its device, also while that is offline; up to 15 minutes behind it. 409 where the cloud keeps nothing of the site: its owner has not agreed, or its device has not sent anything yet.',
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
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
    permission: 'read',
    params: SiteParams,
    query: SiteHistoryQuery,
    answers: { 200: HistoryAnswer },
    refusals: [404, 409],
  },

  getSiteHistoryConsent: {
    route: 'GET /api/v1/sites/{id}/history_consent',
    summary: 'Whether the owner of a site agreed that the cloud keeps its history',
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
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
    permission: 'own',
    params: SiteParams,
    body: SetSiteHistoryConsentBody,
    answers: { 200: SiteHistoryConsent },
    refusals: [403, 404],
  },
});

/** Seven days of all values are about 60 KB. */
const HISTORY_LIMIT_BYTES = 256 * 1024;

export const deviceHistoryOperations = operations('internal', {
  storeDeviceHistory: {
    route: 'PUT /api/v1/devices/history',
    summary: 'A device sends the history of its site, which is kept where the owner agreed',
    requires: 'device',
    query: DeviceHistoryQuery,
    body: DeviceHistoryBody,
    bodyLimit: HISTORY_LIMIT_BYTES,
    answers: { 200: DeviceHistoryAnswer },
    refusals: [422, 429],
  },
});
