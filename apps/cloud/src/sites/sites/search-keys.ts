import { ALERT_SEVERITIES, SITE_STATES, type SiteSearchKey, uidOf } from '@heliograph/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';
import { hasOpenAlert, newestWithOpenAlert } from '../../alerting/alerts/open-alerts.ts';
import { oneOf } from '../../db/search.ts';
import { dateOf, idOf, idsOf } from '../../db/search-values.ts';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import { type Keys, NAME_KEY } from './order.ts';
import { isHeldBy, isInState, newestNeverSeen } from './state.ts';

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
  /** The first of all its sites, the newest first, from indexes in that order; absent or undefined where it has none. */
  newest?(limit: number): Keys | undefined;
  /** The filter whose value goes on with the next term of the search; absent where a value ends with its term. */
  continuedBy?(term: string): SiteFilter;
}

interface SearchKey<Value> {
  /** Undefined for a value that is invalid for the key. @param param what follows a key that ends with `_` */
  read(text: string, param: string): Value | undefined;
  condition(value: Value, proxies: ProxyDirectory): Condition;
  needsDevice: boolean | ((value: Value) => boolean);
  isUnique?: true;
  newest?(value: Value, limit: number): Keys | undefined;
  continue?(value: Value, term: string): Value;
}

interface RegisteredKey {
  filterOf(key: string, text: string, param: string): SiteFilter | undefined;
}

function searchKey<Value>(definition: SearchKey<Value>): RegisteredKey {
  const { needsDevice, isUnique = false, newest, continue: continued } = definition;
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
    filterOf: (key, text, param) => {
      const value = definition.read(text, param);
      return value === undefined ? undefined : withValue(key, value);
    },
  };
}

/** The conditions of the keys of the search of sites. */
export const SEARCH_KEYS: Readonly<Record<SiteSearchKey, RegisteredKey>> = {
  name: searchKey({
    read: (text) => text,
    condition: (name) => sql`${NAME_KEY} = folded(${name})`,
    needsDevice: false,
    isUnique: true,
  }),
  id: searchKey({
    read: idsOf,
    condition: (ids) => sql`sites.id = any(${ids}::integer[])`,
    needsDevice: false,
    isUnique: true,
  }),
  uid: searchKey({
    read: uidOf,
    condition: (uid) => sql`devices.uid = ${uid}`,
    needsDevice: true,
    isUnique: true,
  }),
  inverter: modelKey('inverter'),
  battery: modelKey('battery'),
  inverter_params_: paramsKey('inverter_params'),
  battery_params_: paramsKey('battery_params'),
  last_seen_after: searchKey({
    read: dateOf,
    condition: (date, proxies) => sql`(${isHeldBy(proxies.announcedAfter(date))}
      or (not devices.online and devices.last_seen_at > ${date}))`,
    needsDevice: true,
  }),
  build_date_after: searchKey({
    read: dateOf,
    condition: (date) => sql`devices.build_date > ${date}`,
    needsDevice: true,
  }),
  region: searchKey({
    read: (text) => text,
    condition: (region) => sql`sites.region = ${region}`,
    needsDevice: false,
  }),
  online: searchKey({
    read: (text) => flagOf(text, 'true', 'false'),
    condition: (online, proxies) =>
      online ? isHeldBy(proxies.liveNames()) : sql`${isHeldBy(proxies.liveNames())} is not true`,
    needsDevice: (online) => online,
  }),
  state: searchKey({
    read: (text) => oneOf(SITE_STATES, text),
    condition: (state, proxies) => isInState(state, proxies),
    needsDevice: (state) => state === 'online' || state === 'hardware_silent',
    newest: (state, limit) => (state === 'never_seen' ? newestNeverSeen(limit) : undefined),
  }),
  alert: searchKey({
    read: (text) => oneOf([...ALERT_SEVERITIES, 'any', 'none'] as const, text),
    condition: (severity) => hasOpenAlert(severity),
    needsDevice: false,
    newest: (severity, limit) => (severity === 'none' ? undefined : newestWithOpenAlert(severity, limit)),
  }),
  tag: searchKey({
    read: (text) => text,
    condition: (tag) => sql`(sites.tags <> '{}' and folded_all(sites.tags) @> array[folded(${tag})])`,
    needsDevice: false,
  }),
  channel: searchKey({
    read: (text) => flagOf(text, 'beta', 'stable'),
    condition: (beta) => (beta ? sql`devices.beta` : sql`devices.beta is not true`),
    needsDevice: (beta) => beta,
  }),
  version: searchKey({
    read: (text) => text,
    condition: (version) => sql`devices.version = ${version}`,
    needsDevice: true,
  }),
  user_id: searchKey({
    read: idOf,
    condition: (id) => sql`sites.id in (select owned.id from sites as owned where owned.owner_id = ${id}
      union select site_id from site_members where user_id = ${id})`,
    needsDevice: false,
    isUnique: true,
  }),
};

/**
 * Any of the models matches. Some clients do not quote, so terms after a model can continue its name: `inverter:Sun Flower 6k`
 * matches any of `Sun`, `Sun Flower` and `Sun Flower 6k`.
 */
function modelKey(part: 'inverter' | 'battery'): RegisteredKey {
  const hasModel = (models: readonly string[]) =>
    sql`part = ${part} and model in (${sql.join(models.map((model) => sql`folded(${model})`))})`;
  return searchKey<readonly string[]>({
    read: (text) => [text],
    continue: (models, term) => [...models, `${models.at(-1)} ${term}`],
    condition: (models) =>
      sql`devices.site_id in (select site_id from site_models where ${hasModel(models)})`,
    needsDevice: true,
    newest: (models, limit) => sql`select site_id as id, null::text as key from site_models
      where ${hasModel(models)} group by site_id order by site_id desc limit ${limit}`,
  });
}

/** Compares as text, and as the number, boolean or null that the text spells. The index supports containment. */
function paramsKey(column: 'inverter_params' | 'battery_params'): RegisteredKey {
  return searchKey({
    read: (text, param) => ({ param, text }),
    condition: ({ param, text }) => {
      const contains = [text, ...scalarsOf(text)].map(
        (value) => sql`${sql.ref(`devices.${column}`)} @> ${JSON.stringify({ [param]: value })}::jsonb`,
      );
      return sql`(${sql.join(contains, sql` or `)})`;
    },
    needsDevice: true,
  });
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
