import { MAX_ID, type SiteLocation } from '@heliograph/contracts';
import { sql } from 'kysely';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { KeyService } from '../keys/service.ts';
import type { ProxyService } from './service.ts';

/** Where sites are, for proxies that are asked for one that another proxy holds. */
export class LocationService {
  readonly #db: Database;
  readonly #proxies: ProxyService;
  readonly #keys: KeyService;

  constructor(db: Database, proxies: ProxyService, keys: KeyService) {
    this.#db = db;
    this.#proxies = proxies;
    this.#keys = keys;
  }

  /** @param asking name of the proxy that asks @throws NotFound */
  async ofSite(asking: string, id: number): Promise<SiteLocation> {
    const site =
      id > MAX_ID ? undefined : selectSites(this.#db).where('sites.id', '=', id).executeTakeFirst();
    return this.#present(asking, await site);
  }

  /** A site by its name in the region of the proxy that asks, in any letter case. @throws NotFound */
  async ofName(asking: string, siteName: string): Promise<SiteLocation> {
    const site = selectSites(this.#db)
      .where('sites.region', '=', (eb) =>
        eb.selectFrom('proxies').select('region').where('name', '=', asking),
      )
      .where(sql`lower(sites.name)`, '=', siteName.toLowerCase());
    return this.#present(asking, await site.executeTakeFirst());
  }

  async #present(asking: string, found: SiteRow | undefined): Promise<SiteLocation> {
    const site = orNotFound(found);
    const proxies = await this.#proxies.directory();
    const holder = proxies.holder(site);
    const isElsewhere = holder !== undefined && holder.name !== asking;
    return {
      site_id: site.id,
      site_name: site.name,
      online: holder !== undefined,
      last_seen_at: proxies.lastSeen(site)?.toISOString() ?? null,
      proxy: holder === undefined ? null : { name: holder.name, url: holder.url },
      relay_token: isElsewhere ? await this.#keys.authorizeRelay({ from: asking, to: holder.name }) : null,
    };
  }
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
