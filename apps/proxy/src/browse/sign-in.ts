import type { ClientResponse } from '../http/client.ts';
import { EXPIRED_SITE_COOKIE } from './site-cookie.ts';

/** Sends visitors to the cloud, which sends them back with credentials for the site. */
export class SignIn {
  readonly #cloudUrl: string;
  readonly #region: string;

  /** @param cloudUrl where browsers reach the cloud */
  constructor(cloudUrl: string, region: string) {
    this.#cloudUrl = cloudUrl;
    this.#region = region;
  }

  /**
   * Whoever is sent there has no good cookie, and is told to forget a bad one.
   *
   * @param returnTo path and query at the site to go on with afterwards
   */
  send(res: ClientResponse, site: string, returnTo: string): void {
    const query = new URLSearchParams({ to_site: site, region: this.#region, return_to: returnTo });
    redirect(res, `${this.#cloudUrl}/sign_in?${query}`, EXPIRED_SITE_COOKIE);
  }
}

/** Sends a browser on, to be asked for with GET; the address it came from is told to nobody. */
export function redirect(res: ClientResponse, location: string, cookie: string): void {
  res.writeHead(303, {
    location,
    'set-cookie': cookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-length': 0,
  });
  res.end();
}
