import { requestTrace } from '@heliograph/kit';
import { type Credentials, credentialsFromHeaders, credentialsFromUpgrade } from '../auth/credentials.ts';
import type { ClientAddress } from '../client-address/client-address.ts';
import { type ClientRequest, type ClientResponse, hostOf } from '../http/client.ts';
import { knownRefusal, type Refusal, refuse } from '../http/refuse.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';
import { RateLimiter } from '../limits/rate-limiter.ts';
import { CONNECTION_LOST } from '../site-proxy/refusals.ts';
import type { SiteProxy } from '../site-proxy/site-proxy.ts';
import { BrowserResponse } from './browser-response.ts';
import { type CallbackOptions, followCallback, isCallback } from './callback.ts';
import { isNavigation, mayUseCookie } from './cookie-policy.ts';
import { findSite, NO_SUCH_SITE } from './find-site.ts';
import { showPage } from './page.ts';
import { returnPath } from './return-path.ts';
import { type Cookies, parseCookies } from './site-cookie.ts';
import type { SiteHosts } from './site-host.ts';
import { siteUnreachablePage, unknownSitePage } from './site-pages.ts';
import { isOfRecovery } from './unverified-token.ts';

const RENEWAL_PATH = '/renew';

/**
 * The page to go on with after `/renew?return_to=`, where a page that support opened leads before its token expires: the
 * cloud issues another one while the session is open, and otherwise shows that it has ended.
 *
 * @returns undefined for another path
 */
function renewalTarget({ url }: ClientRequest): string | undefined {
  const [path, ...query] = (url ?? '').split('?');
  if (path !== RENEWAL_PATH) return undefined;
  return returnPath(new URLSearchParams(query.join('?')).get('return_to'));
}

/** How often one client may make the proxy ask the cloud for a name. */
const LOOK_UPS = { perSecond: 5, burst: 30, maxKeys: 10_000 };

const CROSS_ORIGIN = knownRefusal({
  status: 403,
  error: 'With a cookie only pages of this very site may do this',
});

/** A name can pass to another site while browsers still hold the cookie of the former. */
const OTHER_SITE = knownRefusal({ status: 401, error: 'The cookie is for another site: sign in again' });
const TOO_MANY_NAMES = knownRefusal({
  status: 429,
  error: 'Too many names of sites',
  headers: { 'retry-after': '1' },
});

/** How long what a page loads may go by an answer about its name, in milliseconds: the page itself was asked for again. */
const SUBRESOURCE_AGE_MS = 60_000;

/** Statuses of an unreachable device, for which the browser gets a page. */
const UNREACHED: ReadonlySet<number> = new Set([502, 503, 504]);

export interface BrowsingOptions extends CallbackOptions {
  readonly hosts: SiteHosts;
  readonly siteProxy: SiteProxy;
}

/** A request at the host of a site. */
interface SiteRequest {
  /** The name in the host. */
  readonly site: string;
  readonly req: ClientRequest;
  readonly res: ClientResponse;
  readonly clientAddress: ClientAddress;
}

/** Browsing a site at its own host, where a cookie may stand for the headers of a client; headers win. */
export class Browsing {
  readonly #options: BrowsingOptions;
  readonly #lookUps = new RateLimiter(LOOK_UPS);

  constructor(options: BrowsingOptions) {
    this.#options = options;
  }

  /** @returns the name of the site at whose host a request arrived; undefined: it is no site's */
  siteOf(req: ClientRequest): string | undefined {
    return this.#options.hosts.nameIn(hostOf(req));
  }

  /** @param site the name in the request's host */
  request(site: string, req: ClientRequest, res: ClientResponse, clientAddress: ClientAddress): void {
    const visit = { site, req, res, clientAddress };
    const cookies = extractCookies(req);
    const shown = credentialsFromHeaders(req.headers);
    if (shown.token !== '')
      this.#options.siteProxy.request(req, new BrowserResponse(res), clientAddress, shown);
    else this.#answer(visit, cookies, shown).catch(() => refuse(req, res, CONNECTION_LOST));
  }

  /** @param name the name in the request's host */
  async webSocket(name: string, client: WebSocketClient, clientAddress: ClientAddress): Promise<void> {
    const { request, stream } = client;
    const { site } = extractCookies(request);
    const shown = credentialsFromUpgrade(request.headers, request.url ?? '');
    const cookie = shown.token === '' ? site : undefined;
    const answer = (): ClientResponse =>
      new BrowserResponse(client.answer(), {
        byCookie: cookie !== undefined,
        keepsCookie: isSupport(cookie),
      });
    if (cookie !== undefined) {
      const refusal = mayUseCookie(request, clientAddress, true)
        ? await this.#refusalOfCookie(name, clientAddress, cookie)
        : CROSS_ORIGIN;
      if (stream.destroyed) return;
      if (refusal !== undefined) {
        refuse(request, answer(), refusal);
        return;
      }
    }
    const guarded = { request, stream, answer, accept: client.accept.bind(client) };
    await this.#options.siteProxy.webSocket(guarded, clientAddress, cookie ?? shown);
  }

  async #answer(visit: SiteRequest, cookies: Cookies, shown: Credentials): Promise<void> {
    const { site, req, res } = visit;
    const renewed = renewalTarget(req);
    if (!isNavigation(req)) await this.#load(visit, cookies, shown);
    else if (renewed !== undefined) this.#options.signIn.send(req, res, site, renewed, true);
    else if (isCallback(req)) await followCallback(site, req, res, this.#options);
    else await this.#navigate(visit, cookies.site);
  }

  /** A resource of a page, or a request of a script. */
  async #load(
    { site, req, res, clientAddress }: SiteRequest,
    cookies: Cookies,
    shown: Credentials,
  ): Promise<void> {
    const cookie = cookies.site;
    const options = { byCookie: cookies.hasSiteCookie, keepsCookie: isSupport(cookie) };
    const answer = new BrowserResponse(res, options);
    if (cookie === undefined) {
      this.#options.siteProxy.request(req, answer, clientAddress, shown);
      return;
    }
    const refusal = mayUseCookie(req, clientAddress, false)
      ? await this.#refusalOfCookie(site, clientAddress, cookie)
      : CROSS_ORIGIN;
    if (res.destroyed) return;
    if (refusal === undefined) this.#options.siteProxy.request(req, answer, clientAddress, cookie);
    else refuse(req, answer, refusal);
  }

  /** Whether a cookie opens nothing at this host, since it is for another site than the one that has its name now. */
  async #refusalOfCookie(
    name: string,
    clientAddress: ClientAddress,
    cookie: Credentials,
  ): Promise<Refusal | undefined> {
    const claims = await this.#options.access.check(cookie);
    // Only a valid token causes a look-up; an invalid one is refused by the site proxy.
    if ('error' in claims) return undefined;
    const location = await this.#find(name, clientAddress, SUBRESOURCE_AGE_MS);
    if (location === TOO_MANY) return TOO_MANY_NAMES;
    return isOtherSite(location, cookie) ? OTHER_SITE : undefined;
  }

  async #find(
    name: string,
    clientAddress: ClientAddress,
    acceptedAgeMs: number,
  ): Promise<Found | typeof TOO_MANY> {
    const { locator } = this.#options;
    const needsLookUp = !locator.hasCachedName(name, acceptedAgeMs);
    const waitS = needsLookUp
      ? this.#lookUps.count(clientAddress.network ?? clientAddress.address, performance.now())
      : 0;
    return waitS === 0 ? findSite(locator, name, acceptedAgeMs) : TOO_MANY;
  }

  /** A page request: without a session it is redirected to sign-in, and failures are shown as pages. */
  async #navigate(
    { site, req, res, clientAddress }: SiteRequest,
    cookie: Credentials | undefined,
  ): Promise<void> {
    const { signIn, now } = this.#options;
    const location = await this.#find(site, clientAddress, 0);
    if (res.destroyed) return;
    const redirectToSignIn = (): void =>
      signIn.send(req, res, site, returnPath(req.url ?? null), isSupport(cookie));
    if (location === NO_SUCH_SITE) {
      showPage(req, res, unknownSitePage(site));
      return;
    }
    if (cookie === undefined) {
      redirectToSignIn();
      return;
    }
    if (location === TOO_MANY) {
      refuse(req, res, TOO_MANY_NAMES);
      return;
    }
    if (isOtherSite(location, cookie)) {
      redirectToSignIn();
      return;
    }
    const onRefusal = (refusal: Refusal): boolean => {
      if (refusal.status === 401) redirectToSignIn();
      else if (UNREACHED.has(refusal.status))
        showPage(req, res, siteUnreachablePage(site, refusal, location, now(), requestTrace(req).traceId));
      else return false;
      return true;
    };
    this.#admit(req, new BrowserResponse(res, { byCookie: true, onRefusal }), clientAddress, cookie);
  }

  #admit(
    req: ClientRequest,
    answer: ClientResponse,
    clientAddress: ClientAddress,
    cookie: Credentials,
  ): void {
    if (mayUseCookie(req, clientAddress, false))
      this.#options.siteProxy.request(req, answer, clientAddress, cookie);
    else refuse(req, answer, CROSS_ORIGIN);
  }
}

const TOO_MANY = Symbol('too many names were asked for');

type Found = Awaited<ReturnType<typeof findSite>>;

/** While the cloud is out of reach a cookie is taken at its word. */
function isOtherSite(location: Found, cookie: Credentials): boolean {
  if (location === undefined) return false;
  return location === NO_SUCH_SITE || cookie.siteId !== String(location.site_id);
}

/** Whether a browser came for a support recovery session. */
function isSupport(cookie: Credentials | undefined): boolean {
  return cookie !== undefined && isOfRecovery(cookie.token);
}

/** Reads the request's cookies, and leaves those of the site's own pages: the device has no use for ours. */
function extractCookies(req: ClientRequest): Cookies {
  const cookies = parseCookies(req.headers.cookie);
  if (!cookies.hasSiteCookie) return cookies;
  if (cookies.others === undefined) delete req.headers.cookie;
  else req.headers.cookie = cookies.others;
  return cookies;
}
