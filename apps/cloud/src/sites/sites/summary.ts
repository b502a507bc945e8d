import type { SiteMember, SitePermission, SiteSummary } from '@heliograph/contracts';
import { sql } from 'kysely';
import { openAlertsOfSite } from '../../alerting/alerts/open-alerts.ts';
import { inTagOrder } from '../../common/tag-order.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import { newestValuesOfSite } from '../history/newest.ts';
import { presentMember } from '../members/present.ts';

export type SummaryRecord = Awaited<ReturnType<ReturnType<typeof selectSummaries>['execute']>>[number];

/** Columns of a site that its summary and the archives of accounts and sites contain. */
export const SITE_COLUMNS = [
  'id',
  'name',
  'description',
  'region',
  'update_channel',
  'automatic_updates',
  'tags',
  'peak_power_kwp',
  'latitude',
  'longitude',
] as const;

/** Sites with owner and device. */
export function selectSummaries(db: Database) {
  return db
    .selectFrom('sites')
    .innerJoin('users as owner', 'owner.id', 'sites.owner_id')
    .leftJoin('site_invitations as invited', (join) =>
      join.onRef('invited.site_id', '=', 'sites.id').onRef('invited.user_id', '=', 'sites.owner_id'),
    )
    .leftJoin('devices', 'devices.site_id', 'sites.id')
    .select((eb) => [
      ...SITE_COLUMNS.map((column) => `sites.${column}` as const),
      'owner.id as ownerId',
      eb.fn.coalesce('invited.email', 'owner.email').as('ownerEmail'),
      eb.fn.coalesce('invited.first_name', 'owner.first_name').as('ownerFirstName'),
      eb.fn.coalesce('invited.last_name', 'owner.last_name').as('ownerLastName'),
      sql<boolean>`invited.user_id is not null`.as('ownerPending'),
      'devices.uid as deviceUid',
      'devices.arch',
      'devices.board',
      'devices.beta',
      'devices.version',
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
      'devices.hardware_silent_since as hardwareSilentSince',
      newestValuesOfSite.as('newestValues'),
      openAlertsOfSite.as('openAlerts'),
    ]);
}

/** @param permissions of the caller: the location of a home is for those who manage it */
export function presentSummary(
  site: SummaryRecord,
  permissions: ReadonlySet<SitePermission>,
  proxies: ProxyDirectory,
): SiteSummary {
  const isLocated = permissions.has('manage');
  return {
    id: site.id,
    name: site.name,
    description: site.description,
    proxy: site.proxyName,
    arch: site.arch,
    board: site.board,
    beta: site.beta ?? false,
    version: site.version,
    build_date: site.buildDate?.toISOString() ?? null,
    online: proxies.holder(site) !== undefined,
    state: proxies.stateOf(site),
    last_seen_at: proxies.lastSeen(site)?.toISOString() ?? null,
    hardware_silent_since: site.hardwareSilentSince?.toISOString() ?? null,
    local_ip: site.localIp,
    inverter: site.inverter,
    inverter_count: site.inverterCount ?? 0,
    inverter_params: site.inverterParams ?? {},
    battery: site.battery,
    battery_count: site.batteryCount ?? 0,
    battery_params: site.batteryParams ?? {},
    owner: presentOwner(site),
    url: urlOf(site, proxies),
    newest_values: site.newestValues,
    open_alerts: site.openAlerts,
    tags: inTagOrder(site.tags),
    peak_power_kwp: site.peak_power_kwp,
    latitude: isLocated ? site.latitude : null,
    longitude: isLocated ? site.longitude : null,
  };
}

export function presentOwner(site: SummaryRecord): SiteMember {
  return presentMember({
    id: site.ownerId,
    email: site.ownerEmail,
    firstName: site.ownerFirstName,
    lastName: site.ownerLastName,
    role: 'owner',
    pending: site.ownerPending,
  });
}

/** @returns null for a site without a name, and while its region has no host */
export function urlOf(site: SummaryRecord, proxies: ProxyDirectory): string | null {
  return site.name === null ? null : (proxies.siteAddress(site.name, site)?.url ?? null);
}
