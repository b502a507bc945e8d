import type {
  Locale,
  LocalSite,
  Site,
  SiteAuthorization,
  SitePermission,
  SiteUpdates,
} from '@heliograph/contracts';
import { personName } from '@heliograph/kit/person-name';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import { type MemberRecord, presentMember } from '../members/present.ts';
import type { SiteRecord } from './records.ts';
import { presentOwner, presentSummary, type SummaryRecord, urlOf } from './summary.ts';

export { SITE_COLUMNS } from './summary.ts';

/** A site as tools for agents list it. */
export interface BriefSite {
  readonly id: number;
  readonly name: string | null;
  readonly online: boolean;
  /** ISO 8601. */
  readonly lastSeenAt: string | null;
  readonly inverter: string | null;
  readonly battery: string | null;
  readonly ownerName: string;
}

/** @param locale of the reader */
export function presentBrief(site: SummaryRecord, proxies: ProxyDirectory, locale: Locale): BriefSite {
  return {
    id: site.id,
    name: site.name,
    online: proxies.holder(site) !== undefined,
    lastSeenAt: proxies.lastSeen(site)?.toISOString() ?? null,
    inverter: site.inverter,
    battery: site.battery,
    ownerName: personName(presentOwner(site), locale),
  };
}

/** A handover that the new owner has not accepted. */
export interface PendingTransferOfSite {
  readonly formerMemberId: number | null;
  /** A person has confirmed the address of the new owner and set a password. */
  readonly newOwnerHasAccount: boolean;
  readonly at: Date;
  /** When it is final. */
  readonly until: Date;
}

export function presentSite(
  site: SiteRecord,
  members: readonly MemberRecord[],
  permissions: ReadonlySet<SitePermission>,
  proxies: ProxyDirectory,
  transfer: PendingTransferOfSite | undefined,
  readerId: number,
): Site {
  const { organizationId, organizationName, organizationCloudHost } = site;
  return {
    ...presentSummary(site, permissions, proxies),
    organization:
      organizationId === null || organizationName === null
        ? null
        : { id: organizationId, name: organizationName, cloud_host: organizationCloudHost },
    updates: presentUpdates(site),
    history_consent: {
      agreed: site.historyAgreed ?? false,
      decided_at: site.historyDecidedAt?.toISOString() ?? null,
    },
    users: members.map(presentMember),
    transfer: transfer ? presentTransfer(transfer, readerId) : null,
    permissions: [...permissions],
  };
}

/** Whether an address has an account is for the person alone who handed the site over to it. */
function presentTransfer(
  { formerMemberId, newOwnerHasAccount, at, until }: PendingTransferOfSite,
  readerId: number,
): Site['transfer'] {
  return {
    former_owner_id: formerMemberId,
    new_owner_has_account: formerMemberId === readerId ? newOwnerHasAccount : null,
    at: at.toISOString(),
    until: until.toISOString(),
  };
}

export function presentUpdates({
  update_channel: channel,
  automatic_updates: automatic,
}: Pick<SummaryRecord, 'update_channel' | 'automatic_updates'>): SiteUpdates {
  return { channel, automatic };
}

export function presentLocal(
  site: SummaryRecord,
  proxies: ProxyDirectory,
  isRequestedUid: boolean,
): LocalSite {
  return {
    id: site.id,
    local_ip: site.localIp,
    url: urlOf(site, proxies),
    last_seen_at: proxies.lastSeen(site)?.toISOString() ?? null,
    uid_match: isRequestedUid,
  };
}

export function presentAuthorization(
  site: SiteRecord,
  host: string,
  proxies: ProxyDirectory,
  { siteKey, token }: { readonly siteKey: string; readonly token: string },
): SiteAuthorization {
  const browsable = site.name === null ? undefined : proxies.siteAddress(site.name, site)?.host;
  return {
    host,
    ...(browsable !== undefined && { site_host: browsable }),
    site_id: site.id,
    ...(site.name !== null && { site_name: site.name }),
    site_key: siteKey,
    ...(site.localIp !== null && { local_ip: site.localIp }),
    token,
  };
}
