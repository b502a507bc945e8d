import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { SITE_COOKIE } from '../src/browse/site-cookie.ts';
import type { SiteCredentials } from './test-cloud.ts';

/** Headers of a browser's navigation. */
export const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

export interface VisitAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks a proxy for something at the host of a site, which `fetch` cannot name. */
export function visit(
  proxyUrl: string,
  host: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<VisitAnswer> {
  return new Promise((resolve, reject) => {
    request(new URL(proxyUrl), { method, path, headers: { host, ...headers }, agent: false }, (res) => {
      text(res).then((body) => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }), reject);
    })
      .once('error', reject)
      .end();
  });
}

/** The `Cookie` header of a browser that signed in to a site. */
export function cookieOf({ siteId, siteKey, token }: SiteCredentials): string {
  return `${SITE_COOKIE}=${siteId}~${siteKey}~${token}`;
}
