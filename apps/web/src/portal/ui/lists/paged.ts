import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { PAGE_SIZE } from './page-size.ts';

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** A list that is asked for in pages. There is a next page as long as a page is full. */
export function pagedQuery<T>(queryKey: QueryKey, fetchPage: (page: PageRequest) => Promise<readonly T[]>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage({ limit: PAGE_SIZE, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last: readonly T[], pages) =>
      last.length < PAGE_SIZE ? null : pages.length * PAGE_SIZE,
    select: ({ pages }) => pages.flat(),
  });
}
