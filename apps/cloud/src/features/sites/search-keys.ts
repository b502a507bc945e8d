import { uidOf } from '@heliograph/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ProxyDirectory } from '../proxies/service.ts';
import type { Keys } from './order.ts';

/** A condition on `sites` left joined with `devices`. */
export type Condition = Expression<SqlBool>;

/** `key:value` of a search, with what it means. */
export interface SiteFilter {
  readonly key: string;
  readonly value: unknown;
  /** @param proxies a device is online only while its proxy is live, whatever its row has */
  condition(proxies: ProxyDirectory): Condition;
  /** Whether only sites with a device can match. */
  readonly needsDevice: boolean;
  /** Whether it finds so few sites that the rest of the query needs no index. */
  readonly isUnique: boolean;
  /** The first of all its sites, the newest first, from an index in that order; absent where the key has none. */
  newest?(limit: number): Keys;
  /** The filter whose value goes on with the next term of the search; absent where a value ends with its term. */
  continuedBy?(term: string): SiteFilter;
}

interface SearchKey<Value> {
  /** Undefined for a value that is invalid for the key. @param param what follows a key that ends with `_` */
  read(text: string, param: string): Value | undefined;
  condition(value: Value, proxies: ProxyDirectory): Condition;
  needsDevice: boolean | ((value: Value) => boolean);
  isUnique?: true;
  newest?(value: Value, limit: number): Keys;
  continue?(value: Value, term: string): Value;
  /** The row of the guide to the search: examples of `q`, and what they find. */
  guide: { examples: readonly string[]; finds: string };
}

interface RegisteredKey {
  readonly guide: SearchKey<never>['guide'];
  filterOf(key: string, text: string, param: string): SiteFilter | undefined;
}

function searchKey<Value>(definition: SearchKey<Value>): RegisteredKey {
  const { needsDevice, isUnique = false, newest, continue: continued, guide } = definition;
  const withValue = (key: string, value: Value): SiteFilter => ({
    key,
    value,
    condition: (proxies) => definition.condition(value, proxies),
    needsDevice: typeof needsDevice === 'function' ? needsDevice(value) : needsDevice,
    isUnique,
    ...(newest && { newest: (limit) => newest(value, limit) }),
    ...(continued && { continuedBy: (term) => withValue(key, continued(value, term)) }),
  });
  return {
    guide,
    filterOf: (key, text, param) => {
      const value = definition.read(text, param);
      return value === undefined ? undefined : withValue(key, value);
    },
  };
}

/** The keys of searches in lists of sites. One that ends with `_` goes on with the name of a parameter. */
export const SEARCH_KEYS = {
  name: searchKey({
    read: (text) => text,
    condition: (name) => sql`lower(sites.name) = lower(${name})`,
    needsDevice: false,
    isUnique: true,
    guide: { examples: ['name:demo'], finds: 'the site of that name, in any letter case' },
  }),
  uid: searchKey({
    read: uidOf,
    condition: (uid) => sql`devices.uid = ${uid}`,
    needsDevice: true,
    isUnique: true,
    guide: { examples: ['uid:abcdefghijklmnopqrst'], finds: 'the site of a device, in any letter case' },
  }),
  inverter: modelKey('inverter', ['inverter:deye', 'inverter:"Simulated Hybrid 6k"']),
  battery: modelKey('battery', ['battery:"LFP 5 kWh"']),
  inverter_params_: paramsKey('inverter_params', ['inverter_params_phases:3']),
  battery_params_: paramsKey('battery_params', ['battery_params_cells:16']),
  last_seen_after: searchKey({
    read: dateOf,
    condition: (date, proxies) => sql`(${isHeldBy(proxies.announcedAfter(date))}
      or (not devices.online and devices.last_seen_at > ${date}))`,
    needsDevice: true,
    guide: { examples: ['last_seen_after:2026-11-01'], finds: 'devices that called since' },
  }),
  build_date_after: searchKey({
    read: dateOf,
    condition: (date) => sql`devices.build_date > ${date}`,
    needsDevice: true,
    guide: { examples: ['build_date_after:2026-11-01'], finds: 'devices whose software is newer' },
  }),
  region: searchKey({
    read: (text) => text,
    condition: (region) => sql`sites.region = ${region}`,
    needsDevice: false,
    guide: { examples: ['region:us'], finds: 'a region of proxies' },
  }),
  online: searchKey({
    read: (text) => flagOf(text, 'true', 'false'),
    condition: (online, proxies) =>
      online ? isHeldBy(proxies.liveNames()) : sql`${isHeldBy(proxies.liveNames())} is not true`,
    needsDevice: (online) => online,
    guide: {
      examples: ['online:true', 'online:false'],
      finds: "whether a proxy has the device's connection now",
    },
  }),
  channel: searchKey({
    read: (text) => flagOf(text, 'beta', 'stable'),
    condition: (beta) => (beta ? sql`devices.beta` : sql`devices.beta is not true`),
    needsDevice: (beta) => beta,
    guide: { examples: ['channel:beta', 'channel:stable'], finds: 'the release channel of the device' },
  }),
  user_id: searchKey({
    read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
    condition: (id) => sql`sites.id in (select owned.id from sites as owned where owned.owner_id = ${id}
      union select site_id from site_members where user_id = ${id})`,
    needsDevice: false,
    isUnique: true,
    guide: { examples: ['user_id:123'], finds: 'sites that an account owns or is a member of' },
  }),
} as const satisfies Readonly<Record<string, RegisteredKey>>;

/**
 * Any of the models matches. Some clients do not quote, so terms after a model can continue its name: `inverter:Sun Flower 6k`
 * matches any of `Sun`, `Sun Flower` and `Sun Flower 6k`.
 */
function modelKey(part: 'inverter' | 'battery', examples: readonly string[]): RegisteredKey {
  const hasModel = (models: readonly string[]) =>
    sql`part = ${part} and model in (${sql.join(models.map((model) => sql`lower(${model})`))})`;
  return searchKey<readonly string[]>({
    read: (text) => [text],
    continue: (models, term) => [...models, `${models.at(-1)} ${term}`],
    condition: (models) =>
      sql`devices.site_id in (select site_id from site_models where ${hasModel(models)})`,
    needsDevice: true,
    newest: (models, limit) => sql`select site_id as id, null::text as key from site_models
      where ${hasModel(models)} group by site_id order by site_id desc limit ${limit}`,
    guide: {
      examples,
      finds: 'one of the models that the device reports, or the whole list of them, in any letter case',
    },
  });
}

/** Compares as text, and as the number, boolean or null that the text spells. The index supports containment. */
function paramsKey(column: 'inverter_params' | 'battery_params', examples: readonly string[]): RegisteredKey {
  return searchKey({
    read: (text, param) => ({ param, text }),
    condition: ({ param, text }) => {
      const contains = [text, ...scalarsOf(text)].map(
        (value) => sql`${sql.ref(`devices.${column}`)} @> ${JSON.stringify({ [param]: value })}::jsonb`,
      );
      return sql`(${sql.join(contains, sql` or `)})`;
    },
    needsDevice: true,
    guide: { examples, finds: `a value among \`${column}\`` },
  });
}

/** Whether the device is online on one of the proxies; false for an empty array. */
function isHeldBy(proxyNames: readonly string[]): Condition {
  return sql`(devices.online and devices.proxy_name = any(${proxyNames}::text[]))`;
}

function scalarsOf(text: string): (number | boolean | null)[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value === 'number') return Number.isFinite(value) ? [value] : [];
  return value === null || typeof value === 'boolean' ? [value] : [];
}

function flagOf(text: string, yes: string, no: string): boolean | undefined {
  return text === yes || text === no ? text === yes : undefined;
}

function dateOf(text: string): Date | undefined {
  // Four-digit years only: the range of PostgreSQL is smaller than that of JavaScript.
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}
