import { type Expression, type SqlBool, sql } from 'kysely';
import type { ProxyDirectory } from '../proxies/service.ts';
import type { ModelFilter, SiteFilter } from './query.ts';

export type Condition = Expression<SqlBool>;

/**
 * A site matches when each term is a prefix of one of its words, in any order.
 *
 * @param by `index` searches through the index of words, `row` tests each row
 */
export function matchesTerms(
  searchTerms: readonly { readonly word: string }[],
  by: 'index' | 'row',
): Condition {
  if (searchTerms.length === 0) return sql`true`;
  const query = sql`search_query(${searchTerms.map(({ word }) => word).join(' ')})`;
  // The function behind @@, which uses no index.
  return by === 'index' ? sql`sites.search @@ ${query}` : sql`ts_match_vq(sites.search, ${query})`;
}

/** Whether a filter finds so few sites that the rest of the query needs no index. */
export function isUnique({ key }: SiteFilter): boolean {
  return key === 'uid' || key === 'name' || key === 'user_id';
}

/** Whether only sites with a device can match. */
export function needsDevice(filter: SiteFilter): boolean {
  switch (filter.key) {
    case 'name':
    case 'region':
    case 'user_id':
      return false;
    case 'online':
    case 'beta':
      return filter.is;
    default:
      return true;
  }
}

/**
 * A filter as a condition on `sites` left joined with `devices`.
 *
 * @param proxies a device is online only while its proxy is live, whatever its row has
 */
export function conditionOf(filter: SiteFilter, proxies: ProxyDirectory): Condition {
  switch (filter.key) {
    case 'name':
      return sql`lower(sites.name) = lower(${filter.text})`;
    case 'region':
      return sql`sites.region = ${filter.text}`;
    case 'uid':
      return sql`devices.uid = ${filter.text}`;
    case 'inverter':
    case 'battery':
      return sql`devices.site_id in (select site_id from site_models where ${hasModel(filter)})`;
    case 'online':
      return filter.is ? isHeldBy(proxies.liveNames()) : sql`${isHeldBy(proxies.liveNames())} is not true`;
    case 'beta':
      return filter.is ? sql`devices.beta` : sql`devices.beta is not true`;
    case 'last_seen_after':
      return sql`(${isHeldBy(proxies.announcedAfter(filter.date))}
        or (not devices.online and devices.last_seen_at > ${filter.date}))`;
    case 'build_date_after':
      return sql`devices.build_date > ${filter.date}`;
    case 'user_id':
      return sql`sites.id in (select owned.id from sites as owned where owned.owner_id = ${filter.id}
        union select site_id from site_members where user_id = ${filter.id})`;
    case 'inverter_params':
    case 'battery_params':
      return hasParam(sql.ref(`devices.${filter.key}`), filter.param, filter.text);
  }
}

/** A filter as a condition on `site_models`. */
export function hasModel({ key, models }: ModelFilter): Condition {
  return sql`part = ${key} and model in (${sql.join(models.map((model) => sql`lower(${model})`))})`;
}

/** Whether the device is online on one of the proxies; false for an empty array. */
function isHeldBy(proxyNames: readonly string[]): Condition {
  return sql`(devices.online and devices.proxy_name = any(${proxyNames}::text[]))`;
}

/** Compares as text, and as the number, boolean or null that the text spells. The index supports containment. */
function hasParam(column: Expression<unknown>, param: string, text: string): Condition {
  const values = [text, ...scalarsOf(text)];
  return sql`(${sql.join(
    values.map((value) => sql`${column} @> ${JSON.stringify({ [param]: value })}::jsonb`),
    sql` or `,
  )})`;
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
