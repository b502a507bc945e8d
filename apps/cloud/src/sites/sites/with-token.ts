import type { SiteWithToken } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { readsSites, sitePermissions } from '../../access/site-permissions.ts';
import type { ProxyService } from '../../devices/proxies/service.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import type { SiteRecord } from './records.ts';
import { presentSummary } from './summary.ts';

/** The answer to registering and renaming. */
export async function presentWithToken(
  caller: Caller,
  site: SiteRecord,
  { proxies, credentials }: { readonly proxies: ProxyService; readonly credentials: SiteCredentialIssuer },
): Promise<SiteWithToken> {
  const summary = presentSummary(site, sitePermissions(caller, site), await proxies.directory());
  if (!readsSites(caller)) return summary;
  const { token } = await credentials.issue(caller, site.id);
  return { ...summary, token };
}
