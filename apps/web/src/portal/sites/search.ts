/** Which sites are listed. */
export const SHOWN = ['all', 'online', 'offline'] as const;
export type Shown = (typeof SHOWN)[number];

/** What somebody looks for, as the page's address keeps it. */
export interface SiteSearch {
  readonly words: string;
  readonly shown: Shown;
}

export function searchFrom(params: URLSearchParams): SiteSearch {
  const shown = SHOWN.find((one) => one === params.get('show')) ?? 'all';
  return { words: params.get('q') ?? '', shown };
}

/** What is the usual stands in no address. */
export function searchParams({ words, shown }: SiteSearch): URLSearchParams {
  return new URLSearchParams([
    ...(words === '' ? [] : [['q', words]]),
    ...(shown === 'all' ? [] : [['show', shown]]),
  ]);
}

/** The `q` of the API's list. */
export function queryOf({ words, shown }: SiteSearch): string {
  const filter = shown === 'all' ? '' : `online:${shown === 'online'}`;
  return `${words.trim()} ${filter}`.trim();
}
