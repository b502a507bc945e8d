import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Further terms of a search are ignored, so that its cost has a bound. */
const MAX_TERMS = 16;

type Condition = RawBuilder<unknown>;

/** The condition of a value; undefined for one that the key does not take. */
export type SearchKeys = Readonly<Record<string, (text: string) => Condition | undefined>>;

/** A search whose conditions and words must all match. */
export interface Search {
  readonly conditions: readonly Condition[];
  /** For `search_query`; undefined without words. */
  readonly words: string | undefined;
}

/**
 * Parses `q`: words, and filters written `key:value`. As with sites, an unknown key and an invalid value are searched for as
 * text.
 *
 * @param wordKeys keys whose values are among the words of what they find, by which an index finds it
 */
export function parseSearch(
  q: string | undefined,
  keys: SearchKeys,
  wordKeys: readonly string[] = [],
): Search {
  const texts: string[] = [];
  const conditions: Condition[] = [];
  const terms = (q ?? '').split(/\s+/).filter((term) => term !== '');
  for (const term of terms.slice(0, MAX_TERMS)) {
    const [, key = '', text = ''] = /^([a-z_]+):(.+)$/i.exec(term) ?? [];
    const condition = Object.hasOwn(keys, key) ? keys[key]?.(text) : undefined;
    if (condition === undefined) texts.push(term);
    else conditions.push(condition);
    if (condition !== undefined && wordKeys.includes(key)) texts.push(text);
  }
  return { conditions, words: texts.length === 0 ? undefined : texts.join(' ') };
}

/** A condition for a table that is small enough to be read as a whole. @param searched the SQL text whose words are searched */
export function searchCondition(q: string | undefined, keys: SearchKeys, searched: Condition) {
  const { conditions, words } = parseSearch(q, keys);
  const all = [
    ...conditions,
    ...(words === undefined ? [] : [sql`search_words(${searched}) @@ search_query(${words})`]),
  ];
  return all.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

/** The one of some values that a text is, in any letter case. */
export function oneOf<Value extends string>(values: readonly Value[], text: string): Value | undefined {
  return values.find((value) => value === text.toLowerCase());
}
