import { regionDomainOf } from '@heliograph/wire';
import type { ProxyConfig } from '../config/config.ts';
import { Browsing, type BrowsingOptions } from './browsing.ts';
import { SignIn } from './sign-in.ts';
import { SiteHosts } from './site-host.ts';

/** @returns undefined where sites have no names: below an address there are none */
export function createBrowsing(
  { host, bind, region, regionDomain, cloudUrl, cloudPublicUrl }: ProxyConfig,
  parts: Pick<BrowsingOptions, 'siteProxy' | 'access' | 'locator' | 'now'>,
): Browsing | undefined {
  const ownHost = host ?? (bind.includes(':') ? `[${bind}]` : bind);
  const domain = regionDomain ?? regionDomainOf(ownHost);
  if (domain === undefined) return undefined;
  const signIn = new SignIn(cloudPublicUrl ?? cloudUrl, region);
  return new Browsing({ ...parts, hosts: new SiteHosts(domain, ownHost), signIn });
}
