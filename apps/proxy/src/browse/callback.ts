import type { SiteTokenClaims } from '@heliograph/wire';
import type { SiteAccessCheck } from '../auth/site-access.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import type { SiteLocator } from '../relay/site-locator.ts';
import { findSite, NO_SUCH_SITE } from './find-site.ts';
import { showPage } from './page.ts';
import { returnPath } from './return-path.ts';
import { redirect, type SignIn } from './sign-in.ts';
import { siteCookie } from './site-cookie.ts';
import { unknownSitePage, unverifiedLinkPage } from './site-pages.ts';
import { isOfRecovery, siteIdIn } from './unverified-token.ts';

const CALLBACK_PATH = '/callback';

export interface CallbackOptions {
  readonly access: SiteAccessCheck;
  readonly locator: Pick<SiteLocator, 'byName' | 'hasCachedName'>;
  readonly signIn: SignIn;
  readonly now: () => number;
}

/**
 * Whether a browser comes back from the cloud, or from a client's link, with credentials for the site. One that asks
 * with HEAD is answered as well: taken for any other page, it would be sent on with the credentials in the address.
 */
export function isCallback({ url }: ClientRequest): boolean {
  return url?.split('?', 1)[0] === CALLBACK_PATH;
}

/**
 * `/callback?token=&key=&return_to=`: turns good credentials into the cookie of the site and goes on within the site.
 *
 * They must be those of the site in the address bar: a link of an attacker must not lead
 * to the attacker's site under another name.
 *
 * @param site the name in the host
 */
export async function followCallback(
  site: string,
  req: ClientRequest,
  res: ClientResponse,
  { access, locator, signIn, now }: CallbackOptions,
): Promise<void> {
  const query = new URLSearchParams(req.url?.split('?').slice(1).join('?'));
  const token = query.get('token') ?? '';
  const returnTo = returnPath(query.get('return_to'));
  const credentials = { token, siteId: siteIdIn(token), siteKey: query.get('key') ?? '' };
  const claims = await access.check(credentials);
  // Only a valid token causes a look-up, so that strangers cannot load the cloud.
  const location = 'error' in claims ? undefined : await findSite(locator, site);
  if (res.destroyed) return;
  const isRecovery = isOfRecovery(token);
  if ('error' in claims && claims.status === 401) signIn.send(req, res, site, returnTo, isRecovery);
  else if ('error' in claims || location === undefined) showPage(req, res, unverifiedLinkPage(site));
  else if (location === NO_SUCH_SITE) showPage(req, res, unknownSitePage(site));
  else {
    const cookie = siteCookie(credentials, Math.floor((cookieEnd(claims) - now()) / 1000));
    const isOfThisSite = location.site_id === claims.siteId;
    if (isOfThisSite && cookie !== undefined) redirect(req, res, returnTo, cookie);
    else signIn.send(req, res, site, returnTo, isRecovery);
  }
}

/** How long a browser remembers that it came for a support session which has ended, in milliseconds. */
const ENDED_RECOVERY_MS = 24 * 60 * 60 * 1000;

/**
 * The cookie of a support session outlives its token: a browser that comes too late must not go on with the ordinary access
 * of its person.
 */
function cookieEnd({ recovery, expiresAt }: SiteTokenClaims): number {
  return recovery === null ? expiresAt : recovery.until + ENDED_RECOVERY_MS;
}
