import { useInfiniteQuery } from '@tanstack/react-query';
import { sitesQuery } from './queries.ts';
import { queryOf, type SiteSearch } from './search.ts';

/** The sites that somebody looks for, a page at a time. */
export function useSiteList(search: SiteSearch) {
  const list = useInfiniteQuery(sitesQuery(search));
  const isEverything = queryOf(search) === '';
  // What is left of another search does not say that there are none.
  const hasNone = isEverything && !list.isPlaceholderData && list.data?.length === 0;
  return { list, isEverything, hasNone };
}
