import type { SiteState } from '@heliograph/contracts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import type { Keys } from './order.ts';

/** The state of a site, of `sites` left joined with `devices`, as `stateOf` of the directory finds it in a row. */
export function stateOf(proxies: ProxyDirectory): RawBuilder<SiteState> {
  return sql`case when ${isHeldBy(proxies.liveNames())}
      then case when devices.hardware_silent_since is null then 'online' else 'hardware_silent' end
    when devices.online is not true and devices.last_seen_at is null then 'never_seen' else 'offline' end`;
}

/** Whether a site is in a state; the conditions on single columns are those of indexes. */
export function isInState(state: SiteState, proxies: ProxyDirectory): RawBuilder<SqlBool> {
  const isIn = sql<SqlBool>`${stateOf(proxies)} = ${state}`;
  if (state === 'online')
    return sql`(${isHeldBy(proxies.liveNames())} and devices.hardware_silent_since is null)`;
  if (state === 'hardware_silent') return sql`(devices.hardware_silent_since is not null and ${isIn})`;
  return state === 'never_seen'
    ? sql`sites.id in (${neverSeenDevices} union all ${sitesWithoutDevice})`
    : isIn;
}

/** The newest sites that were never seen, as keys of the list. */
export function newestNeverSeen(limit: number): Keys {
  const first = (sites: RawBuilder<unknown>) => sql`(${sites} order by id desc limit ${limit})`;
  return sql`select id, null::text as key from (
      ${first(neverSeenDevices)} union all ${first(sitesWithoutDevice)}) as never_seen
    order by id desc limit ${limit}`;
}

const neverSeenDevices = sql`select unseen.site_id as id from devices as unseen
  where unseen.site_id is not null and unseen.last_seen_at is null and unseen.online is not true`;

/** A site without a device has no words of one, by which an index finds it. */
const sitesWithoutDevice = sql`select bare.id from sites as bare where bare.device_words = ''
  and not exists (select from devices as theirs where theirs.site_id = bare.id)`;

/** Whether the device is online on one of the proxies; false for an empty array. */
export function isHeldBy(proxyNames: readonly string[]): RawBuilder<SqlBool> {
  return sql`(devices.online and devices.proxy_name = any(${proxyNames}::text[]))`;
}
