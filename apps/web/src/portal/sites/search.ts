export const SITE_FILTERS = ['all', 'online', 'offline'] as const;
export type SiteFilter = (typeof SITE_FILTERS)[number];

/** The search of the list of sites, as the page's address has it. */
export interface SiteSearch {
  readonly text: string;
  readonly filter: SiteFilter;
}

export function searchFrom(params: URLSearchParams): SiteSearch {
  const filter = SITE_FILTERS.find((one) => one === params.get('show')) ?? 'all';
  return { text: params.get('q') ?? '', filter };
}

/** Defaults are left out of the address. */
export function searchParams({ text, filter }: SiteSearch): URLSearchParams {
  return new URLSearchParams([
    ...(text === '' ? [] : [['q', text]]),
    ...(filter === 'all' ? [] : [['show', filter]]),
  ]);
}

/** The `q` of the API's list. */
export function queryOf({ text, filter }: SiteSearch): string {
  const online = filter === 'all' ? '' : `online:${filter === 'online'}`;
  return `${text.trim()} ${online}`.trim();
}
