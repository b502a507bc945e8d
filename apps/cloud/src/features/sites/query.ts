import { uidOf } from '@heliograph/contracts';
/** A list's `q`, parsed: every search term and every filter must match. */
export interface SiteQuery {
  readonly searchTerms: readonly string[];
  readonly filters: readonly SiteFilter[];
}

/** Any of the models matches. */
export interface ModelFilter {
  readonly key: 'inverter' | 'battery';
  readonly models: string[];
}

export type SiteFilter =
  | { readonly key: 'name' | 'uid' | 'region'; readonly text: string }
  | ModelFilter
  | { readonly key: 'online' | 'beta'; readonly is: boolean }
  | { readonly key: 'last_seen_after' | 'build_date_after'; readonly date: Date }
  | { readonly key: 'user_id'; readonly id: number }
  | { readonly key: 'inverter_params' | 'battery_params'; readonly param: string; readonly text: string };

/** Further terms of a query are ignored, so that its cost has a bound. */
const MAX_TERMS = 16;

type FilterReader = (value: string) => SiteFilter | undefined;

const READERS: Readonly<Record<string, FilterReader>> = {
  name: (text) => ({ key: 'name', text }),
  uid: (text) => ({ key: 'uid', text: uidOf(text) }),
  inverter: (text) => ({ key: 'inverter', models: [text] }),
  battery: (text) => ({ key: 'battery', models: [text] }),
  region: (text) => ({ key: 'region', text }),
  online: (text) => flag('online', text, 'true', 'false'),
  channel: (text) => flag('beta', text, 'beta', 'stable'),
  last_seen_after: (text) => after('last_seen_after', text),
  build_date_after: (text) => after('build_date_after', text),
  user_id: (text) => (/^\d{1,9}$/.test(text) ? { key: 'user_id', id: Number(text) } : undefined),
};

/** `key:"a value with spaces"`, or what has no spaces; a quote without its pair is a character like any other. */
const TERM = /([a-z_0-9]+):"([^"]*)"(?=\s|$)|\S+/gi;

/**
 * Parses `q`: terms separated by spaces, `key:value` is a filter, anything else a search term. An unknown key, or a
 * value that is invalid for its key, is a search term; no query is refused. A value with spaces stands in quotes.
 *
 * Some clients do not quote, so terms after a model can continue its name: `inverter:Sun Flower 6k` matches any of `Sun`,
 * `Sun Flower` and `Sun Flower 6k`. They are search terms as well, which the words of a model match.
 */
export function parseSiteQuery(q = ''): SiteQuery {
  const searchTerms: string[] = [];
  const filters: SiteFilter[] = [];
  let continued: string[] | undefined;
  for (const [term, key, quoted] of [...q.matchAll(TERM)].slice(0, MAX_TERMS)) {
    const filter = filterOf(quoted === undefined ? term : `${key}:${quoted.trim()}`);
    if (filter !== undefined) {
      filters.push(filter);
      continued = quoted === undefined && 'models' in filter ? filter.models : undefined;
      continue;
    }
    searchTerms.push(term);
    continued?.push(`${continued.at(-1)} ${term}`);
  }
  return { searchTerms, filters };
}

function filterOf(term: string): SiteFilter | undefined {
  const [, key = '', value = ''] = /^([a-z_0-9]+):(.+)$/i.exec(term) ?? [];
  if (value === '') return undefined;
  const [, kind, param] = /^(inverter_params|battery_params)_(.+)$/.exec(key) ?? [];
  if (param !== undefined && (kind === 'inverter_params' || kind === 'battery_params')) {
    return { key: kind, param, text: value };
  }
  return Object.hasOwn(READERS, key) ? READERS[key]?.(value) : undefined;
}

function flag(key: 'online' | 'beta', text: string, yes: string, no: string): SiteFilter | undefined {
  return text === yes || text === no ? { key, is: text === yes } : undefined;
}

function after(key: 'last_seen_after' | 'build_date_after', text: string): SiteFilter | undefined {
  // Four-digit years only: the range of PostgreSQL is smaller than that of JavaScript.
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : { key, date };
}
