import { type Expression, type SqlBool, sql } from 'kysely';
import type { SiteFilter, SiteQuery } from './query.ts';

type Condition = Expression<SqlBool>;

/** A query's conditions on `sites` joined with `devices`. */
export function conditionsOf({ words, filters }: SiteQuery): Condition[] {
  return [...words.map(contains), ...filters.map(conditionOf)];
}

/** Everything that free text is searched in. */
const SEARCHED = sql`concat_ws(' ', sites.id, sites.name, sites.description, devices.proxy_name,
  devices.inverter, devices.battery, devices.arch, devices.board)`;

function contains(word: string): Condition {
  return sql`${SEARCHED} ilike ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`;
}

function conditionOf(filter: SiteFilter): Condition {
  switch (filter.key) {
    case 'name':
      return sql`lower(sites.name) = lower(${filter.text})`;
    case 'region':
      return sql`sites.region = ${filter.text}`;
    case 'uid':
      return sql`devices.uid = ${filter.text}`;
    case 'inverter':
    case 'battery':
      return sql`lower(${sql.ref(`devices.${filter.key}`)}) = lower(${filter.text})`;
    case 'online':
    case 'beta':
      return sql`coalesce(${sql.ref(`devices.${filter.key}`)}, false) = ${filter.is}`;
    case 'last_seen_after':
      return sql`devices.last_seen_at > ${filter.date}`;
    case 'build_date_after':
      return sql`devices.build_date > ${filter.date}`;
    case 'user_id':
      return sql`(sites.owner_id = ${filter.id} or exists (select from site_members
        where site_members.site_id = sites.id and site_members.user_id = ${filter.id}))`;
    case 'inverter_params':
    case 'battery_params':
      return sql`${sql.ref(`devices.${filter.key}`)} ->> ${filter.param} = ${filter.text}`;
  }
}
