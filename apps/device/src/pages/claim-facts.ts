import type { ClaimState } from '@heliograph/contracts';
import type { ClaimFacts } from '../api/page-operations.ts';
import type { KnownSite } from '../auth/known-site.ts';
import type { Uplink } from '../uplink/uplink.ts';

export interface ClaimSource {
  readonly uid: string;
  readonly cloudUrl: string | undefined;
  readonly site: KnownSite;
  /** Undefined without a cloud, and before the device has got so far. */
  readonly uplink: Pick<Uplink, 'status' | 'standing'> | undefined;
}

/** Where the device stands with its cloud. */
export function claimFacts({ uid, cloudUrl, site, uplink }: ClaimSource): ClaimFacts {
  return {
    uid,
    state: stateOf(cloudUrl, site.id, uplink?.standing),
    reason: uplink?.status.reason ?? null,
    site_id: site.id,
    site_name: site.name,
    cloud_url: cloudUrl ?? null,
  };
}

/** A site that was learnt before this start is still the device's, until the cloud says otherwise. */
function stateOf(
  cloudUrl: string | undefined,
  siteId: number | null,
  standing: Uplink['standing'],
): ClaimState {
  if (cloudUrl === undefined) return 'no_cloud';
  if (siteId !== null) return 'claimed';
  if (standing === 'inactive') return 'waiting_for_activation';
  return standing === 'unregistered' ? 'unclaimed' : 'not_reached';
}
