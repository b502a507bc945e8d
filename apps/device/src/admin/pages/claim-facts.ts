import type { ClaimState } from '@heliograph/contracts';
import type { RegisteredSite } from '../../access/registered-site.ts';
import type { Uplink } from '../../cloud/uplink/uplink.ts';
import type { ClaimFacts } from '../../serve/api/pages/page-operations.ts';

export interface ClaimSource {
  readonly uid: string;
  readonly cloudUrl: string | undefined;
  readonly site: RegisteredSite;
  /** Undefined without a cloud, and before the device has got so far. */
  readonly uplink: Pick<Uplink, 'status' | 'cloudStatus' | 'registrationCode'> | undefined;
}

/** The state of the device's registration at its cloud. */
export function claimFacts({ uid, cloudUrl, site, uplink }: ClaimSource): ClaimFacts {
  return {
    uid,
    state: stateOf(cloudUrl, site.id, uplink?.cloudStatus),
    reason: uplink?.status.reason ?? null,
    site_id: site.id,
    site_name: site.name,
    cloud_url: cloudUrl ?? null,
    registration_code: uplink?.registrationCode ?? null,
  };
}

/** A site that was learnt before this start is still the device's, until the cloud answers otherwise. */
function stateOf(
  cloudUrl: string | undefined,
  siteId: number | null,
  cloudStatus: Uplink['cloudStatus'],
): ClaimState {
  if (cloudUrl === undefined) return 'no_cloud';
  if (siteId !== null) return 'claimed';
  if (cloudStatus === 'inactive') return 'waiting_for_activation';
  if (cloudStatus === 'released') return 'released';
  return cloudStatus === 'unregistered' ? 'unclaimed' : 'not_reached';
}
