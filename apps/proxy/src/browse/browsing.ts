import { type Credentials, credentialsFromHeaders, credentialsFromUpgrade } from '../auth/credentials.ts';
import { LOST } from '../forward/refusals.ts';
import type { WebSocketClient } from '../forward/web-socket-client.ts';
import type { SiteGate } from '../gate/site-gate.ts';
import { type ClientRequest, type ClientResponse, hostOf } from '../http/client.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import { Rate } from '../limits/rate.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { BrowserResponse } from './browser-response.ts';
import { type CallbackOptions, followCallback, isCallback } from './callback.ts';
import { findSite, NO_SUCH_SITE } from './find-site.ts';
import { isNavigation, mayUseCookie } from './own-page.ts';
import { showPage } from './page.ts';
import { returnPath } from './return-path.ts';
import { type Cookies, cookiesIn } from './site-cookie.ts';
import type { SiteHosts } from './site-host.ts';
import { siteAwayPage, unknownSitePage } from './site-pages.ts';

/** How often one client may make the proxy ask the cloud for a name. */
const LOOK_UPS = { perSecond: 5, burst: 30, maxKeys: 10_000 };

const FOREIGN: Refusal = { status: 403, error: 'With a cookie only pages of this very site may do this' };

/** A name can pass to another site while browsers still hold the cookie of the former. */
const OTHER_SITE: Refusal = { status: 401, error: 'The cookie is for another site: sign in again' };
const TOO_MANY_NAMES: Refusal = {
  status: 429,
  error: 'Too many names of sites',
  headers: { 'retry-after': '1' },
};

/** How long what a page loads may go by an answer about its name, in milliseconds: the page itself was asked for anew. */
const LOADED_BY_NAME_MS = 60_000;

/** What is between a visitor and the device: the page says so, in its own words. */
const UNREACHED: ReadonlySet<number> = new Set([502, 503, 504]);

export interface BrowsingOptions extends CallbackOptions {
  readonly hosts: SiteHosts;
  readonly gate: SiteGate;
}

/** A request at the host of a site. */
interface Visit {
  /** The name in the host. */
  readonly site: string;
  readonly req: ClientRequest;
  readonly res: ClientResponse;
  readonly visitor: Visitor;
}

/** Browsing a site at its own host, where a cookie may stand for the headers of a client; headers win. */
export class Browsing {
  readonly #options: BrowsingOptions;
  readonly #lookUps = new Rate(LOOK_UPS);

  constructor(options: BrowsingOptions) {
    this.#options = options;
  }

  /** @returns the name of the site at whose host a request arrived; undefined: it is no site's */
  siteOf(req: ClientRequest): string | undefined {
    return this.#options.hosts.nameIn(hostOf(req));
  }

  /** @param site the name in the request's host */
  request(site: string, req: ClientRequest, res: ClientResponse, visitor: Visitor): void {
    const visit = { site, req, res, visitor };
    const cookies = takeCookies(req);
    const shown = credentialsFromHeaders(req.headers);
    if (shown.token !== '') this.#options.gate.request(req, new BrowserResponse(res), visitor, shown);
    else this.#answer(visit, cookies, shown).catch(() => refuse(req, res, LOST));
  }

  /** @param name the name in the request's host */
  async webSocket(name: string, client: WebSocketClient, visitor: Visitor): Promise<void> {
    const { request, stream } = client;
    const { site } = takeCookies(request);
    const shown = credentialsFromUpgrade(request.headers, request.url ?? '');
    const cookie = shown.token === '' ? site : undefined;
    const answer = (): ClientResponse =>
      new BrowserResponse(client.answer(), { byCookie: cookie !== undefined });
    if (cookie !== undefined) {
      const refusal = mayUseCookie(request, visitor, true)
        ? await this.#refusalOfCookie(name, visitor, cookie)
        : FOREIGN;
      if (stream.destroyed) return;
      if (refusal !== undefined) {
        refuse(request, answer(), refusal);
        return;
      }
    }
    const guarded = { request, stream, answer, accept: client.accept.bind(client) };
    await this.#options.gate.webSocket(guarded, visitor, cookie ?? shown);
  }

  async #answer(visit: Visit, cookies: Cookies, shown: Credentials): Promise<void> {
    const { site, req, res } = visit;
    if (!isNavigation(req)) await this.#load(visit, cookies, shown);
    else if (isCallback(req)) await followCallback(site, req, res, this.#options);
    else await this.#navigate(visit, cookies.site);
  }

  /** What a page loads, or a script asks for. */
  async #load({ site, req, res, visitor }: Visit, cookies: Cookies, shown: Credentials): Promise<void> {
    const answer = new BrowserResponse(res, { byCookie: cookies.named });
    const cookie = cookies.site;
    if (cookie === undefined) {
      this.#options.gate.request(req, answer, visitor, shown);
      return;
    }
    const refusal = mayUseCookie(req, visitor, false)
      ? await this.#refusalOfCookie(site, visitor, cookie)
      : FOREIGN;
    if (res.destroyed) return;
    if (refusal === undefined) this.#options.gate.request(req, answer, visitor, cookie);
    else refuse(req, answer, refusal);
  }

  /** Whether a cookie opens nothing at this host, since it is for another site than the one that has its name now. */
  async #refusalOfCookie(name: string, visitor: Visitor, cookie: Credentials): Promise<Refusal | undefined> {
    const claims = await this.#options.access.check(cookie);
    // The cloud is asked for those alone who have a good token; what a bad one opens the gate says.
    if ('error' in claims) return undefined;
    const location = await this.#find(name, visitor, LOADED_BY_NAME_MS);
    if (location === TOO_MANY) return TOO_MANY_NAMES;
    return isOtherSite(location, cookie) ? OTHER_SITE : undefined;
  }

  async #find(name: string, visitor: Visitor, acceptedAgeMs: number): Promise<Found | typeof TOO_MANY> {
    const { locator } = this.#options;
    const asks = !locator.remembersName(name, acceptedAgeMs);
    const waitS = asks ? this.#lookUps.count(visitor.network ?? visitor.address, performance.now()) : 0;
    return waitS === 0 ? findSite(locator, name, acceptedAgeMs) : TOO_MANY;
  }

  /** A page to show: whoever is not signed in goes to do so, and what cannot be shown is said in a page too. */
  async #navigate({ site, req, res, visitor }: Visit, cookie: Credentials | undefined): Promise<void> {
    const { signIn, now } = this.#options;
    const location = await this.#find(site, visitor, 0);
    if (res.destroyed) return;
    const askToSignIn = (): void => signIn.send(res, site, returnPath(req.url ?? null));
    if (location === NO_SUCH_SITE) {
      showPage(res, unknownSitePage(site));
      return;
    }
    if (cookie === undefined) {
      askToSignIn();
      return;
    }
    if (location === TOO_MANY) {
      refuse(req, res, TOO_MANY_NAMES);
      return;
    }
    if (isOtherSite(location, cookie)) {
      askToSignIn();
      return;
    }
    const onRefusal = (refusal: Refusal): boolean => {
      if (refusal.status === 401) askToSignIn();
      else if (UNREACHED.has(refusal.status)) showPage(res, siteAwayPage(site, refusal, location, now()));
      else return false;
      return true;
    };
    this.#admit(req, new BrowserResponse(res, { byCookie: true, onRefusal }), visitor, cookie);
  }

  #admit(req: ClientRequest, answer: ClientResponse, visitor: Visitor, cookie: Credentials): void {
    if (mayUseCookie(req, visitor, false)) this.#options.gate.request(req, answer, visitor, cookie);
    else refuse(req, answer, FOREIGN);
  }
}

const TOO_MANY = Symbol('too many names were asked for');

type Found = Awaited<ReturnType<typeof findSite>>;

/** While the cloud is out of reach a cookie is taken at its word. */
function isOtherSite(location: Found, cookie: Credentials): boolean {
  if (location === undefined) return false;
  return location === NO_SUCH_SITE || cookie.siteId !== String(location.site_id);
}

/** Reads the request's cookies, and leaves those of the site's own pages: the device has no use for ours. */
function takeCookies(req: ClientRequest): Cookies {
  const cookies = cookiesIn(req.headers.cookie);
  if (!cookies.named) return cookies;
  if (cookies.others === undefined) delete req.headers.cookie;
  else req.headers.cookie = cookies.others;
  return cookies;
}
