import type { SiteWithToken } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { readsSites, sitePermissions } from '../../access/site-permissions.ts';
import type { SitePlatform } from '../platform.ts';
import { issueCredentials } from './credentials.ts';
import type { SiteRecord } from './records.ts';
import { presentSummary } from './summary.ts';

/** The answer to registering and renaming. */
export async function presentWithToken(
  platform: SitePlatform,
  caller: Caller,
  site: SiteRecord,
): Promise<SiteWithToken> {
  const summary = presentSummary(site, sitePermissions(caller, site), await platform.proxies.directory());
  if (!readsSites(caller)) return summary;
  const { token } = await issueCredentials(platform, caller, site.id);
  return { ...summary, token };
}
