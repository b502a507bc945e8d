import { type Expression, type SqlBool, sql } from 'kysely';
import type { ProxyDirectory } from '../proxies/service.ts';
import type { SiteFilter } from './query.ts';

export type Condition = Expression<SqlBool>;

/**
 * Whether a site has all the words: by how its own begin, in any order; what stands between them does not count.
 *
 * @param by whether sites are found through the index of words, or each one at hand is looked at
 */
export function matchesWords(words: readonly { readonly word: string }[], by: 'index' | 'row'): Condition {
  if (words.length === 0) return sql`true`;
  const query = sql`search_query(${words.map(({ word }) => word).join(' ')})`;
  // The function behind @@, which no index knows.
  return by === 'index' ? sql`sites.search @@ ${query}` : sql`ts_match_vq(sites.search, ${query})`;
}

/** Whether a filter finds so little that nothing else needs to be clever. */
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
 * @param proxies what proxies that are gone said of their devices is out of date
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
      return sql`lower(${sql.ref(`devices.${filter.key}`)}) in (${sql.join(
        filter.models.map((model) => sql`lower(${model})`),
      )})`;
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

/** Whether one of the proxies said last that it holds the device; in an empty array there is no name. */
function isHeldBy(proxyNames: readonly string[]): Condition {
  return sql`(devices.online and devices.proxy_name = any(${proxyNames}::text[]))`;
}

/** As text, and as the number, boolean or null that the text spells. Containment is what the index knows. */
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
