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

export type DeviceRecord = NonNullable<Awaited<ReturnType<typeof findDevice>>>;
export type ListedDeviceRecord = Awaited<ReturnType<typeof listRows>>[number];

/** The devices within reach, by uid. */
export function listRows(
  db: Database,
  reach: Reach,
  { prefix, state }: DeviceFilter,
  { offset, limit }: Page,
) {
  return selectDevices(db)
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

export function findDevice(db: Database, uid: string) {
  return selectDevices(db).where('devices.uid', '=', uid).executeTakeFirst();
}

export function findDevices(db: Database, uids: readonly string[]): Promise<DeviceRecord[]> {
  return selectDevices(db).where(sql<SqlBool>`devices.uid = any(${uids}::text[])`).execute();
}

/** Locks a device against activation and revocation until the transaction ends. */
export function lockDevice(tx: Database, uid: string): Promise<LockedDevice | undefined> {
  return tx
    .selectFrom('devices')
    .select(['activated_at as activatedAt', 'revoked_at as revokedAt', 'organization_id as organizationId'])
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether a site is among those that an account owns or is a member of. */
export async function isOwnSite(db: Database, sites: OwnSites, siteId: number): Promise<boolean> {
  const found = await ownSites(db, sites).where('mine.id', '=', siteId).executeTakeFirst();
  return found !== undefined;
}

export function employerRoles(db: Database, userId: number): Promise<EmployerRole[]> {
  return db
    .selectFrom('organization_members')
    .select(['organization_id as organizationId', 'role'])
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute();
}

export async function organizationExists(db: Database, id: number): Promise<boolean> {
  const found = await db.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}
