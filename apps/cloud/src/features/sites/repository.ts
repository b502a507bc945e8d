import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import { isTaken } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';
import type { Caller } from '../tokens/policy.ts';
import { conditionsOf } from './filters.ts';
import { visibleTo } from './policy.ts';
import type { SiteQuery } from './query.ts';

/** A site's name is another site's hostname in the same region. */
export class SiteNameTaken extends Error {
  override readonly name = 'SiteNameTaken';
}

export interface NewSite {
  readonly name: string | null;
  readonly description: string | null;
  readonly region: string;
  readonly ownerId: number;
  readonly organizationId: number | null;
}

/** What claiming a device came to; only `claimed` has changed anything. */
export type Claim =
  | { readonly outcome: 'unknown' | 'inactive' }
  | { readonly outcome: 'registered' | 'claimed'; readonly siteId: number };

export interface Page {
  readonly order: 'newest' | 'name';
  readonly offset: number;
  readonly limit: number;
}

export type SiteRecord = Awaited<ReturnType<SiteRepository['list']>>[number];
export type MemberRecord = Awaited<ReturnType<SiteRepository['members']>>[number];

export class SiteRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(caller: Caller, query: SiteQuery, { order, offset, limit }: Page) {
    const sites = selectSites(this.#db, caller).where((eb) => eb.and(conditionsOf(query)));
    const ordered =
      order === 'newest'
        ? sites.orderBy('sites.id', 'desc')
        : sites.orderBy(sql`lower(sites.name)`).orderBy('sites.id');
    return ordered.offset(offset).limit(limit).execute();
  }

  find(caller: Caller, id: number): Promise<SiteRecord | undefined> {
    return selectSites(this.#db, caller).where('sites.id', '=', id).executeTakeFirst();
  }

  /** Members besides the owner, the most trusted first. */
  members(siteId: number) {
    return this.#db
      .selectFrom('site_members')
      .innerJoin('users', 'users.id', 'site_members.user_id')
      .select([
        'users.id',
        'users.email',
        'users.first_name as firstName',
        'users.last_name as lastName',
        'site_members.role',
      ])
      .where('site_id', '=', siteId)
      .orderBy('site_members.role')
      .orderBy('users.id')
      .execute();
  }

  /**
   * Makes a site for an activated device that has none.
   *
   * @param site called only when there is something to make; what it throws undoes the claim
   * @throws SiteNameTaken
   */
  async claim(uid: string, site: () => NewSite): Promise<Claim> {
    try {
      return await this.#db.transaction().execute(async (tx) => {
        const device = await tx
          .selectFrom('devices')
          .select(['site_id as siteId', 'activated_at as activatedAt'])
          .where('uid', '=', uid)
          .forUpdate()
          .executeTakeFirst();
        if (device === undefined) return { outcome: 'unknown' };
        if (device.siteId !== null) return { outcome: 'registered', siteId: device.siteId };
        if (device.activatedAt === null) return { outcome: 'inactive' };
        const siteId = await insertSite(tx, site());
        await tx.updateTable('devices').set({ site_id: siteId }).where('uid', '=', uid).execute();
        return { outcome: 'claimed', siteId };
      });
    } catch (error) {
      throw isTaken(error, 'sites_hostname') ? new SiteNameTaken() : error;
    }
  }
}

async function insertSite(db: Database, site: NewSite): Promise<number> {
  const { id } = await db
    .insertInto('sites')
    .values({
      name: site.name,
      description: site.description,
      region: site.region,
      owner_id: site.ownerId,
      organization_id: site.organizationId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The sites that exist for the caller, with owner, device and the caller's own role. */
function selectSites(db: Database, caller: Caller) {
  return db
    .selectFrom('sites')
    .innerJoin('users as owner', 'owner.id', 'sites.owner_id')
    .leftJoin('organizations', 'organizations.id', 'sites.organization_id')
    .leftJoin('devices', 'devices.site_id', 'sites.id')
    .where(visibleTo(caller))
    .select([
      'sites.id',
      'sites.name',
      'sites.description',
      'sites.region',
      'sites.key_version as keyVersion',
      'owner.id as ownerId',
      'owner.email as ownerEmail',
      'owner.first_name as ownerFirstName',
      'owner.last_name as ownerLastName',
      'organizations.id as organizationId',
      'organizations.name as organizationName',
      'organizations.cloud_host as organizationCloudHost',
      'devices.arch',
      'devices.board',
      'devices.beta',
      'devices.build_date as buildDate',
      'devices.local_ip as localIp',
      'devices.inverter',
      'devices.inverter_count as inverterCount',
      'devices.inverter_params as inverterParams',
      'devices.battery',
      'devices.battery_count as batteryCount',
      'devices.battery_params as batteryParams',
      'devices.online',
      'devices.proxy_name as proxyName',
      'devices.last_seen_at as lastSeenAt',
      roleOf(caller.userId).as('role'),
    ]);
}

function roleOf(userId: number) {
  return sql<SiteRole | null>`case when sites.owner_id = ${userId} then 'owner' else (
    select role from site_members where site_id = sites.id and user_id = ${userId}) end`;
}
