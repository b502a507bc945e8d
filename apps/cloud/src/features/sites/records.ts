import type { Caller } from '../../access/caller.ts';
import { relationOf } from '../../access/visible-sites.ts';
import type { Database } from '../../db/open.ts';

export type SummaryRecord = Awaited<ReturnType<ReturnType<typeof selectSummaries>['execute']>>[number];

/** A site, and the caller's relation to it. */
export type SiteRecord = Awaited<ReturnType<ReturnType<typeof selectSites>['execute']>>[number];

/** Sites with owner and device. */
export function selectSummaries(db: Database) {
  return db
    .selectFrom('sites')
    .innerJoin('users as owner', 'owner.id', 'sites.owner_id')
    .leftJoin('devices', 'devices.site_id', 'sites.id')
    .select([
      'sites.id',
      'sites.name',
      'sites.description',
      'sites.region',
      'owner.id as ownerId',
      'owner.email as ownerEmail',
      'owner.first_name as ownerFirstName',
      'owner.last_name as ownerLastName',
      'devices.uid as deviceUid',
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
      'devices.asked_region as requestedRegion',
      'devices.proxy_name as proxyName',
      'devices.last_seen_at as lastSeenAt',
    ]);
}

/** Sites with owner, device and organization, and the caller's relation to them. */
export function selectSites(db: Database, caller: Caller) {
  return selectSummaries(db)
    .leftJoin('organizations', 'organizations.id', 'sites.organization_id')
    .select([
      'sites.key_version as keyVersion',
      'sites.organization_id as organizationId',
      'organizations.name as organizationName',
      'organizations.cloud_host as organizationCloudHost',
      ...relationOf(caller),
    ]);
}
