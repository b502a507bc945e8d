import { MAX_ID, type SiteLocation } from '@heliograph/contracts';
import { foldText } from '@heliograph/contracts/folded-text';
import { sql } from 'kysely';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyPlatform } from '../platform.ts';

// For proxies with requests for a site that another proxy holds.

/** @param callingProxy name of the proxy that calls @throws NotFound */
export async function locateSite(
  platform: ProxyPlatform,
  callingProxy: string,
  id: number,
): Promise<SiteLocation> {
  const site =
    id > MAX_ID ? undefined : selectSites(platform.db).where('sites.id', '=', id).executeTakeFirst();
  return present(platform, callingProxy, await site);
}

/** A site by its name in the region of the calling proxy, in any letter case. @throws NotFound */
export async function locateSiteByName(
  platform: ProxyPlatform,
  callingProxy: string,
  siteName: string,
): Promise<SiteLocation> {
  const site = selectSites(platform.db)
    .where('sites.region', '=', (eb) =>
      eb.selectFrom('proxies').select('region').where('name', '=', callingProxy),
    )
    .where(sql`folded(sites.name)`, '=', foldText(siteName));
  return present(platform, callingProxy, await site.executeTakeFirst());
}

async function present(
  platform: ProxyPlatform,
  callingProxy: string,
  found: SiteRow | undefined,
): Promise<SiteLocation> {
  const site = orNotFound(found);
  const proxies = await platform.proxies.directory();
  const holder = proxies.holder(site);
  const isElsewhere = holder !== undefined && holder.name !== callingProxy;
  return {
    site_id: site.id,
    site_name: site.name,
    online: holder !== undefined,
    last_seen_at: proxies.lastSeen(site)?.toISOString() ?? null,
    proxy: holder === undefined ? null : { name: holder.name, url: holder.url },
    relay_token: isElsewhere
      ? await platform.keys.authorizeRelay({ from: callingProxy, to: holder.name })
      : null,
  };
}

type SiteRow = Awaited<ReturnType<ReturnType<typeof selectSites>['execute']>>[number];

function selectSites(db: Database) {
  return db
    .selectFrom('sites')
    .leftJoin('devices', 'devices.site_id', 'sites.id')
    .select([
      'sites.id',
      'sites.name',
      'devices.online',
      'devices.proxy_name as proxyName',
      'devices.last_seen_at as lastSeenAt',
    ]);
}
