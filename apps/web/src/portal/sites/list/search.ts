import type { AlertSeverity, SiteListQuery, SiteState } from '@heliograph/client';

export const SITE_FILTERS = [
  'all',
  'hardware_silent',
  'offline',
  'never_seen',
  'online',
] as const satisfies readonly ('all' | SiteState)[];
export type SiteFilter = (typeof SITE_FILTERS)[number] | AlertFilter;

/** Severities of the worst open alert of a site. */
export const ALERT_FILTERS = [
  'critical',
  'warning',
  'information',
] as const satisfies readonly AlertSeverity[];
export type AlertFilter = (typeof ALERT_FILTERS)[number];

export const SITE_LAYOUTS = ['cards', 'table', 'map'] as const;
export type SiteLayout = (typeof SITE_LAYOUTS)[number];

export const TABLE_SORTS = [
  'attention',
  'name',
  'customer',
  'last_seen',
] as const satisfies readonly NonNullable<SiteListQuery['sort']>[];
export type TableSort = (typeof TABLE_SORTS)[number];

/** The search of the list of sites, as the page's address has it. */
export interface SiteSearch {
  readonly text: string;
  readonly filter: SiteFilter;
  readonly layout: SiteLayout;
  /** Of the table. */
  readonly sort: TableSort;
  readonly isDescending: boolean;
  /** Of the table; the first one is 1. */
  readonly page: number;
}

/** Of an address whose page number is no such number the first page. */
const MAX_PAGE = 1_000;

/** @param remembered the layout of an address that names none */
export function searchFrom(params: URLSearchParams, remembered: SiteLayout = 'cards'): SiteSearch {
  const page = Number(params.get('page') ?? 1);
  return {
    text: params.get('q') ?? '',
    filter: oneOf([...SITE_FILTERS, ...ALERT_FILTERS], params.get('show')),
    layout: oneOf(SITE_LAYOUTS, params.get('view') ?? remembered),
    sort: oneOf(TABLE_SORTS, params.get('sort')),
    isDescending: params.get('direction') === 'descending',
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/**
 * Defaults are left out of the address; so are cards, unless another layout is remembered.
 *
 * @param remembered undefined for an address that always names its layout
 */
export function searchParams(search: SiteSearch, remembered: SiteLayout | undefined): URLSearchParams {
  const { text, filter, layout, sort, isDescending, page } = search;
  return new URLSearchParams([
    ...(text === '' ? [] : [['q', text]]),
    ...(filter === 'all' ? [] : [['show', filter]]),
    ...(layout === 'cards' && remembered === 'cards' ? [] : [['view', layout]]),
    ...(sort === 'attention' ? [] : [['sort', sort]]),
    ...(isDescending ? [['direction', 'descending']] : []),
    ...(page === 1 ? [] : [['page', String(page)]]),
  ]);
}

/** The `q` of the API's list. */
export function queryOf({ text, filter }: Pick<SiteSearch, 'text' | 'filter'>): string {
  return `${text.trim()} ${filter === 'all' ? '' : `${isAlertFilter(filter) ? 'alert' : 'state'}:${filter}`}`.trim();
}

export function isAlertFilter(filter: SiteFilter): filter is AlertFilter {
  return (ALERT_FILTERS as readonly SiteFilter[]).includes(filter);
}

/** The first one where there is no such value. */
function oneOf<Value extends string>(values: readonly [Value, ...Value[]], text: string | null): Value {
  return values.find((value) => value === text) ?? values[0];
}
