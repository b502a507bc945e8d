import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { portal } from '../session/portal.ts';

/**
 * The request of a program for consent, asked again by every page that is opened: it may have been answered in another
 * tab.
 *
 * @param uid names the authorization; only the browser that it began in may ask for it
 * @throws ApiError with status 404 when it has expired or been answered
 */
export function consentRequest(uid: string) {
  return queryOptions({
    queryKey: ['consent', uid, 'request'],
    queryFn: () => portal.getConsentRequest({ uid }),
    staleTime: 0,
  });
}

/** A page of the sites that the person may choose from. @param userKey whose they are @param q a search; empty for all */
export function consentSites(uid: string, userKey: string, q: string) {
  return queryOptions({
    queryKey: ['consent', uid, 'sites', userKey, q],
    queryFn: () => portal.listConsentSites({ uid, q: q === '' ? undefined : q }),
    placeholderData: keepPreviousData,
  });
}

/**
 * @param email of the account that is shown
 * @param siteId null where none is to be chosen
 * @returns where the browser goes on
 * @throws ApiError with status 401 when that account is not the one that is signed in by now
 */
export async function allowConsent(uid: string, email: string, siteId: number | null): Promise<string> {
  const chosen = siteId === null ? {} : { site_id: siteId };
  return (await portal.allowConsent({ uid, email, ...chosen })).location;
}

/** @returns where the browser goes on */
export async function denyConsent(uid: string): Promise<string> {
  return (await portal.denyConsent({ uid })).location;
}
