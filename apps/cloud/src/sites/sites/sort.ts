import { SITE_STATES, type SiteSort } from '@heliograph/contracts';
import { type RawBuilder, sql } from 'kysely';
import { worstOpenSeverity } from '../../alerting/alerts/service.ts';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import { NAME_KEY } from './order.ts';
import { stateOf } from './state.ts';

export interface ChosenOrder {
  readonly sort: SiteSort;
  readonly direction: 'ascending' | 'descending';
}

/** The key that a list is sorted by, of `sites` left joined with `devices`. */
export function sortKeyOf(sort: SiteSort, proxies: ProxyDirectory): RawBuilder<unknown> {
  switch (sort) {
    case 'attention':
      // Information is no reason for a visit.
      return sql`case ${worstOpenSeverity} when 3 then 0 when 2 then 10 else 20 end
        + array_position(${[...SITE_STATES]}::text[], ${stateOf(proxies)})`;
    case 'name':
      return NAME_KEY;
    case 'customer':
      return sql`coalesce(
        (select concat_ws(' ', first_name, last_name, email) collate natural_order
          from site_invitations where site_id = sites.id and user_id = sites.owner_id),
        (select concat_ws(' ', first_name, last_name, email) collate natural_order
          from users where id = sites.owner_id))`;
    case 'last_seen':
      return sql`coalesce((select announced_at from proxies
        where devices.online and proxies.name = devices.proxy_name), devices.last_seen_at)`;
  }
}
