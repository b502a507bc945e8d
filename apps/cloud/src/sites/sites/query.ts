import { SITE_SEARCH_KEYS, type SiteSearchKey } from '@heliograph/contracts';
import { SEARCH_KEYS, type SiteFilter } from './search-keys.ts';

/** A list's `q`, parsed: every search term and every filter must match. */
export interface SiteQuery {
  readonly searchTerms: readonly string[];
  readonly filters: readonly SiteFilter[];
}

/** Further terms of a query are ignored, so that its cost has a bound. */
const MAX_TERMS = 16;

const KEYS = Object.keys(SITE_SEARCH_KEYS) as SiteSearchKey[];

/** `key:"a value with spaces"`, or what has no spaces; a quote without its pair is a character like any other. */
const TERM = /([a-z_0-9]+):"([^"]*)"(?=\s|$)|\S+/gi;

/**
 * Parses `q`: terms separated by spaces, `key:value` is a filter, anything else a search term. An unknown key, or a
 * value that is invalid for its key, is a search term; no query is refused. A value with spaces stands in quotes.
 *
 * A term that continues the value of a filter is a search term as well, which the words of a model match.
 */
export function parseSiteQuery(q = ''): SiteQuery {
  const searchTerms: string[] = [];
  const filters: SiteFilter[] = [];
  let continues = false;
  for (const [term, key, quoted] of [...q.matchAll(TERM)].slice(0, MAX_TERMS)) {
    const filter = filterOf(quoted === undefined ? term : `${key}:${quoted.trim()}`);
    if (filter !== undefined) {
      filters.push(filter);
      continues = quoted === undefined && filter.continuedBy !== undefined;
      continue;
    }
    searchTerms.push(term);
    const continued = continues ? filters.at(-1)?.continuedBy?.(term) : undefined;
    if (continued !== undefined) filters[filters.length - 1] = continued;
  }
  return { searchTerms, filters };
}

function filterOf(term: string): SiteFilter | undefined {
  const [, key = '', value = ''] = /^([a-z_0-9]+):(.+)$/i.exec(term) ?? [];
  if (value === '') return undefined;
  // A key that ends with `_` goes on with the name of a parameter.
  const known = KEYS.find((one) => (one.endsWith('_') ? key.startsWith(one) && key !== one : key === one));
  return known === undefined ? undefined : SEARCH_KEYS[known].filterOf(key, value, key.slice(known.length));
}
