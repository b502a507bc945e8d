import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ConsentApi } from './consent-api.ts';

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
