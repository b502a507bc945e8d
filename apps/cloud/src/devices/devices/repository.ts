import type { DeviceState } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import type { EmployerRole, OwnSites, Reach } from './policy.ts';
import { ownSites, STATES, selectDevices, UID, uidsWithin } from './records.ts';

export interface DeviceFilter {
  /** Prefix of the uid. */
  readonly prefix: string;
  readonly state: DeviceState | undefined;
}

/** A device with a locked row. */
export interface LockedDevice {
  readonly activatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly organizationId: number | null;
}

export type DeviceRecord = NonNullable<Awaited<ReturnType<typeof selectOne>>>;
export type ListedDeviceRecord = Awaited<ReturnType<DeviceRepository['list']>>[number];

export class DeviceRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The devices within reach, by uid. */
  list(reach: Reach, { prefix, state }: DeviceFilter, { offset, limit }: Page) {
    return selectDevices(this.#db)
      .leftJoin('organizations', (join) =>
        join.on('organizations.id', '=', sql`coalesce(devices.organization_id, sites.organization_id)`),
      )
      .leftJoin('users as owners', 'owners.id', 'sites.owner_id')
      .select([
        'organizations.name as organizationName',
        'sites.name as siteName',
        'owners.first_name as ownerFirstName',
        'owners.last_name as ownerLastName',
        'owners.email as ownerEmail',
      ])
      .$if(!reach.everything, (devices) => devices.where('devices.uid', 'in', (eb) => uidsWithin(eb, reach)))
      .$if(prefix !== '', (devices) =>
        devices.where(sql<SqlBool>`${UID} like ${`${prefix.replace(/[\\%_]/g, '\\$&')}%`}`),
      )
      .$if(state !== undefined, (devices) => devices.where((eb) => eb.and(state ? STATES[state](eb) : [])))
      .orderBy(UID)
      .offset(offset)
      .limit(limit)
      .execute();
  }

  find(uid: string, db: Database = this.#db): Promise<DeviceRecord | undefined> {
    return selectOne(db, uid);
  }

  findAll(uids: readonly string[]): Promise<DeviceRecord[]> {
    return selectDevices(this.#db).where(sql<SqlBool>`devices.uid = any(${uids}::text[])`).execute();
  }

  /** Locks a device against activation and revocation until the transaction ends. */
  lock(tx: Database, uid: string): Promise<LockedDevice | undefined> {
    return tx
      .selectFrom('devices')
      .select(['activated_at as activatedAt', 'revoked_at as revokedAt', 'organization_id as organizationId'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst();
  }

  /** Adds a device that has not called yet. @returns false when there is one */
  async add(tx: Database, uid: string, organizationId: number | null): Promise<boolean> {
    const added = await tx
      .insertInto('devices')
      .values({ uid, organization_id: organizationId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('uid')
      .executeTakeFirst();
    return added !== undefined;
  }

  /**
   * Activates a device and deletes the request for it; the organization of a device that has one is unchanged.
   *
   * @returns undefined when it was activated before, or there is none
   */
  async activate(
    tx: Database,
    uid: string,
    organizationId: number | null,
    at: Date,
  ): Promise<{ organizationId: number | null } | undefined> {
    const activated = await tx
      .updateTable('devices')
      .set({ activated_at: at, organization_id: sql`coalesce(organization_id, ${organizationId})` })
      .where('uid', '=', uid)
      .where('activated_at', 'is', null)
      .returning('organization_id as organizationId')
      .executeTakeFirst();
    if (activated !== undefined) await dropRequest(tx, uid);
    return activated;
  }

  /**
   * Revokes a device. If it has a site, the database takes it offline and has the proxies end its sessions.
   *
   * @returns false when it was revoked already
   */
  async revoke(tx: Database, uid: string, at: Date): Promise<boolean> {
    const revoked = await tx
      .updateTable('devices')
      .set({ revoked_at: at })
      .where('uid', '=', uid)
      .where('revoked_at', 'is', null)
      .returning('uid')
      .executeTakeFirst();
    if (revoked !== undefined) await dropRequest(tx, uid);
    return revoked !== undefined;
  }

  /** @returns false when it was not revoked */
  async restore(tx: Database, uid: string): Promise<boolean> {
    const restored = await tx
      .updateTable('devices')
      .set({ revoked_at: null })
      .where('uid', '=', uid)
      .where('revoked_at', 'is not', null)
      .returning('uid')
      .executeTakeFirst();
    return restored !== undefined;
  }

  /** Whether a site is among those that an account owns or is a member of. */
  async isOwnSite(sites: OwnSites, siteId: number): Promise<boolean> {
    const found = await ownSites(this.#db, sites).where('mine.id', '=', siteId).executeTakeFirst();
    return found !== undefined;
  }

  employerRoles(userId: number): Promise<EmployerRole[]> {
    return this.#db
      .selectFrom('organization_members')
      .select(['organization_id as organizationId', 'role'])
      .where('user_id', '=', userId)
      .orderBy('organization_id')
      .execute();
  }

  async organizationExists(id: number): Promise<boolean> {
    const found = await this.#db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return found !== undefined;
  }
}

function selectOne(db: Database, uid: string) {
  return selectDevices(db).where('devices.uid', '=', uid).executeTakeFirst();
}

async function dropRequest(tx: Database, uid: string): Promise<void> {
  await tx.deleteFrom('activation_requests').where('uid', '=', uid).execute();
}
