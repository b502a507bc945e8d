import type { SiteLocation } from '@heliograph/contracts';
import type { SiteLocator } from '../relay/site-locator.ts';

export const NO_SUCH_SITE = Symbol('no such site');

/**
 * Which site has a name, as far as the cloud can be asked: who is signed in can go on without it.
 *
 * @param acceptedAgeMs as for `byName`
 * @returns undefined when the cloud is out of reach
 */
export async function findSite(
  locator: Pick<SiteLocator, 'byName'>,
  name: string,
  acceptedAgeMs?: number,
): Promise<SiteLocation | typeof NO_SUCH_SITE | undefined> {
  try {
    return (await locator.byName(name, acceptedAgeMs)) ?? NO_SUCH_SITE;
  } catch {
    return undefined;
  }
}
