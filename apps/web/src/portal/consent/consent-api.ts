import type { ConsentAnswer, ConsentRequest, ConsentSite } from '@heliograph/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { portalCall } from '../session/portal-call.ts';

/** The request of a program for consent, and the person's answer. */
export class ConsentApi {
  readonly #path: string;

  /** @param uid names the authorization; only the browser that it began in may ask for it */
  constructor(uid: string) {
    this.#path = `/oauth/consent/${encodeURIComponent(uid)}`;
  }

  /** @throws ApiError with status 404 when it has expired or been answered */
  async request(): Promise<ConsentRequest> {
    return (await portalCall('GET', `${this.#path}/request`)) as ConsentRequest;
  }

  /** Sites that the person may choose from, a page of them. @param q as the search of sites has it */
  async sites(q: string): Promise<ConsentSite[]> {
    const query = q === '' ? '' : `?${new URLSearchParams({ q })}`;
    return (await portalCall('GET', `${this.#path}/sites${query}`)) as ConsentSite[];
  }

  /**
   * @param email of the account that is shown
   * @param siteId null where none is to be chosen
   * @returns where the browser goes on
   * @throws ApiError with status 401 when that account is not the one that is signed in by now
   */
  async allow(email: string, siteId: number | null): Promise<string> {
    return await this.#answer('allow', siteId === null ? { email } : { email, site_id: siteId });
  }

  /** @returns where the browser goes on */
  async deny(): Promise<string> {
    return await this.#answer('deny', {});
  }

  async #answer(what: 'allow' | 'deny', body: object): Promise<string> {
    return ((await portalCall('POST', `${this.#path}/${what}`, body)) as ConsentAnswer).location;
  }
}

/** Asked anew by every page that is opened: it may have been answered in another tab. */
export function consentRequest(uid: string, api: ConsentApi) {
  return queryOptions({ queryKey: ['consent', uid, 'request'], queryFn: () => api.request(), staleTime: 0 });
}

/** @param userKey whose sites they are @param q what is searched for; empty for the first of all */
export function consentSites(uid: string, userKey: string, api: ConsentApi, q: string) {
  return queryOptions({
    queryKey: ['consent', uid, 'sites', userKey, q],
    queryFn: () => api.sites(q),
    placeholderData: keepPreviousData,
  });
}
