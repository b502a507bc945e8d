import { MAX_ID } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { relationOf, visibleTo } from '../../access/visible-sites.ts';
import type { Database } from '../../db/open.ts';
import { selectSummaries } from './summary.ts';

/** A site, and the caller's relation to it. */
export type SiteRecord = Awaited<ReturnType<ReturnType<typeof selectSites>['execute']>>[number];

/** A site of a list, and the caller's relation to it. */
export type ListedRecord = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number];

/** Sites with owner and device, and the caller's relation to them. */
export function selectListed(db: Database, caller: Caller) {
  return selectSummaries(db).select(['sites.organization_id as organizationId', ...relationOf(caller)]);
}

/** Sites with owner, device and organization, and the caller's relation to them. */
export function selectSites(db: Database, caller: Caller) {
  return selectListed(db, caller)
    .leftJoin('organizations', 'organizations.id', 'sites.organization_id')
    .leftJoin('site_history_consents as consents', (join) =>
      join
        .onRef('consents.site_id', '=', 'sites.id')
        // Another owner is asked again.
        .onRef('consents.owner_id', '=', 'sites.owner_id'),
    )
    .select([
      'sites.key_version as keyVersion',
      'organizations.name as organizationName',
      'organizations.cloud_host as organizationCloudHost',
      'consents.agreed as historyAgreed',
      'consents.decided_at as historyDecidedAt',
    ]);
}

/** @returns undefined when there is no such site, or none that the caller sees */
export async function findRecord(db: Database, caller: Caller, id: number): Promise<SiteRecord | undefined> {
  if (id < 1 || id > MAX_ID) return undefined;
  return selectSites(db, caller).where('sites.id', '=', id).where(visibleTo(caller)).executeTakeFirst();
}
