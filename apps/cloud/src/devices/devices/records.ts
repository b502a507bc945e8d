import type { DeviceState } from '@heliograph/contracts';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { OwnSites, Reach } from './policy.ts';

/** In byte order, the order of the index for prefixes. */
export const UID = sql<string>`devices.uid collate "C"`;

type Devices = ExpressionBuilder<Schema, 'devices'>;

/** The same as `stateOf` in `present.ts`, as conditions. */
export const STATES: Readonly<Record<DeviceState, (eb: Devices) => Expression<SqlBool>[]>> = {
  revoked: (eb) => [eb('devices.revoked_at', 'is not', null)],
  registered: (eb) => [eb('devices.revoked_at', 'is', null), eb('devices.site_id', 'is not', null)],
  released: (eb) => [
    eb('devices.revoked_at', 'is', null),
    eb('devices.site_id', 'is', null),
    eb('devices.former_site_id', 'is not', null),
  ],
  provisioned: (eb) => [...withoutSite(eb), eb('devices.enrolled_at', 'is', null)],
  unregistered: (eb) => [
    ...withoutSite(eb),
    eb('devices.enrolled_at', 'is not', null),
    eb('devices.activated_at', 'is not', null),
  ],
  inactive: (eb) => [
    ...withoutSite(eb),
    eb('devices.enrolled_at', 'is not', null),
    eb('devices.activated_at', 'is', null),
  ],
};

/** Of devices that have never had one. */
function withoutSite(eb: Devices): Expression<SqlBool>[] {
  return [
    eb('devices.revoked_at', 'is', null),
    eb('devices.site_id', 'is', null),
    eb('devices.former_site_id', 'is', null),
  ];
}

/**
 * Devices of organizations, those on the organizations' sites that are no other's, and those on the sites that an
 * account owns or is a member of: each a look-up by index.
 */
export function uidsWithin(eb: Devices, { seen, sites }: Reach) {
  return eb
    .selectFrom('devices as own')
    .select('own.uid')
    .where(sql<SqlBool>`own.organization_id = any(${seen}::int[])`)
    .unionAll(
      eb
        .selectFrom('sites as served')
        .innerJoin('devices as installed', 'installed.site_id', 'served.id')
        .select('installed.uid')
        .where('installed.organization_id', 'is', null)
        .where(sql<SqlBool>`served.organization_id = any(${seen}::int[])`),
    )
    .unionAll(
      eb
        .selectFrom('devices as home')
        .select('home.uid')
        .where('home.site_id', 'in', (inner) => ownSites(inner, sites)),
    );
}

/** The sites that an account owns or is a member of, as far as its token shows them. */
export function ownSites(eb: Pick<Devices, 'selectFrom'>, { userId, organizationId, siteId }: OwnSites) {
  const mine = eb
    .selectFrom('sites as mine')
    .select('mine.id')
    .where('mine.id', 'in', (inner) =>
      inner
        .selectFrom('sites as owned')
        .select('owned.id')
        .where('owned.owner_id', '=', userId)
        .unionAll(
          inner
            .selectFrom('site_members as shared')
            .select('shared.site_id as id')
            .where('shared.user_id', '=', userId),
        ),
    );
  const within = organizationId === null ? mine : mine.where('mine.organization_id', '=', organizationId);
  return siteId === null ? within : within.where('mine.id', '=', siteId);
}

/** Devices, each with the organization that it belongs to by itself or by its site. */
export function selectDevices(db: Database) {
  return db
    .selectFrom('devices')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .select([
      'devices.uid',
      sql<number | null>`coalesce(devices.organization_id, sites.organization_id)`.as('organizationId'),
      'devices.site_id as siteId',
      'devices.former_site_id as formerSiteId',
      'devices.enrolled_at as enrolledAt',
      'devices.activated_at as activatedAt',
      'devices.revoked_at as revokedAt',
      'devices.online',
      'devices.proxy_name as proxyName',
      'devices.last_seen_at as lastSeenAt',
      'devices.hardware_silent_since as hardwareSilentSince',
      'devices.arch',
      'devices.board',
      'devices.version',
      'devices.build_date as buildDate',
      'devices.local_ip as localIp',
      'devices.inverter',
      'devices.inverter_count as inverterCount',
      'devices.battery',
      'devices.battery_count as batteryCount',
    ]);
}
