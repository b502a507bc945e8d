import { Forbidden, UnsupportedMediaType } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';

export type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

export interface OwnPagesOptions {
  /** Public URL of the cloud and its pages. */
  readonly cloudUrl: () => string;
  /** Whether a host is the vetted one of an organization. */
  readonly isPortalHost: (host: string) => Promise<boolean>;
}

/** The types that a form can send; scripts of other pages can send no other without asking first. */
const FORM_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Distinguishes requests of the service's own pages from those that other pages make a browser send (CSRF): both carry
 * the session cookie.
 *
 * Every browser sends the origin of a request that changes data. Most add the relation of page and server (Fetch
 * Metadata), which separates sites of the same domain even where the origin is hidden.
 */
export class OwnPages {
  readonly #options: OwnPagesOptions;

  constructor(options: OwnPagesOptions) {
    this.#options = options;
  }

  /** @throws Forbidden; UnsupportedMediaType for what a form can send */
  async require({ method, headers, host }: PageRequest): Promise<void> {
    const { origin, 'sec-fetch-site': relation = 'same-origin', 'content-type': type = '' } = headers;
    const isRead = method === 'GET' || method === 'HEAD';
    const isOwn = origin === undefined ? isRead : await this.isOwn(origin, host);
    if (!isOwn || relation !== 'same-origin')
      throw new Forbidden('Only the pages of this service may do this');
    if (FORM_TYPES.test(type)) {
      throw new UnsupportedMediaType('The body must be JSON, with Content-Type: application/json');
    }
  }

  /** Whether an origin is of pages of the service. @param host that the request was sent to */
  async isOwn(origin: string, host: string): Promise<boolean> {
    const { cloudUrl, isPortalHost } = this.#options;
    if (origin === new URL(cloudUrl()).origin) return true;
    // On the machine itself people may type another of its names than the one that is configured.
    if (LOOPBACK.test(host) && origin === `http://${host}`) return true;
    // Links in mails lead to such a host with TLS alone.
    return origin === `https://${host.toLowerCase()}` && (await isPortalHost(host));
  }

  /** Whether a host, without its port, has pages of the service. */
  async isOwnHost(host: string): Promise<boolean> {
    const { cloudUrl, isPortalHost } = this.#options;
    return host === new URL(cloudUrl()).hostname || LOOPBACK.test(host) || (await isPortalHost(host));
  }
}
