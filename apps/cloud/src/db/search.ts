import { canonicalEmail } from '@heliograph/contracts/email-address';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Further terms of a search are ignored, so that its cost has a bound. */
const MAX_TERMS = 16;

type Condition = RawBuilder<unknown>;

/** The condition of a value; undefined for one that the key does not take. */
export type SearchKeys = Readonly<Record<string, (text: string) => Condition | undefined>>;

/** A search whose conditions and search terms must all match. */
export interface Search {
  readonly conditions: readonly Condition[];
  readonly searchTerms: readonly string[];
}

/**
 * Parses `q`: search terms, and filters written `key:value`. As with sites, an unknown key and an invalid value are searched for as
 * text.
 *
 * @param termKeys keys whose values are search terms, too, by which an index finds what they find
 */
export function parseSearch(
  q: string | undefined,
  keys: SearchKeys,
  termKeys: readonly string[] = [],
): Search {
  const searchTerms: string[] = [];
  const conditions: Condition[] = [];
  const terms = (q ?? '').split(/\s+/).filter((term) => term !== '');
  for (const term of terms.slice(0, MAX_TERMS)) {
    const [, key = '', text = ''] = /^([a-z_]+):(.+)$/i.exec(term) ?? [];
    const condition = Object.hasOwn(keys, key) ? keys[key]?.(text) : undefined;
    if (condition === undefined) searchTerms.push(asStored(term));
    else conditions.push(condition);
    if (condition !== undefined && termKeys.includes(key)) searchTerms.push(text);
  }
  return { conditions, searchTerms };
}

/** A term as it is searched for among words: a whole email address in the form in which it is stored. */
export function asStored(term: string): string {
  return canonicalEmail(term) ?? term;
}

/** A condition for a table that is small enough to be read as a whole. @param searched the SQL text whose words are searched */
export function searchCondition(q: string | undefined, keys: SearchKeys, searched: Condition) {
  const { conditions, searchTerms } = parseSearch(q, keys);
  const matches = sql`search_words(${searched}) @@ search_query(${searchTerms.join(' ')})`;
  const all = [...conditions, ...(searchTerms.length === 0 ? [] : [matches])];
  return all.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

/** The one of some values that a text is, in any letter case. */
export function oneOf<Value extends string>(values: readonly Value[], text: string): Value | undefined {
  return values.find((value) => value === text.toLowerCase());
}
