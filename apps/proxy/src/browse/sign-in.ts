import { REQUEST_ID, requestTrace } from '@heliograph/kit';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
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
   * Redirects a browser without a valid cookie to sign-in, and expires an invalid one.
   *
   * @param returnTo path and query at the site to go on with afterwards
   * @param isRecovery whether to go on in the support recovery session of the site, and not with the ordinary access
   */
  send(req: ClientRequest, res: ClientResponse, site: string, returnTo: string, isRecovery = false): void {
    const query = new URLSearchParams({ to_site: site, region: this.#region, return_to: returnTo });
    if (isRecovery) query.set('roles', 'recovery');
    redirect(req, res, `${this.#cloudUrl}/sign_in?${query}`, EXPIRED_SITE_COOKIE);
  }
}

/** Redirects with 303, so that the browser sends GET, and without a referrer. */
export function redirect(req: ClientRequest, res: ClientResponse, location: string, cookie: string): void {
  res.writeHead(303, {
    location,
    'set-cookie': cookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-length': 0,
    [REQUEST_ID]: requestTrace(req).traceId,
  });
  res.end();
}
