import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Further terms of a search are ignored, so that its cost has a bound. */
const MAX_TERMS = 16;

type Condition = RawBuilder<unknown>;

/** The condition of a value; undefined for one that the key does not take. */
export type SearchKeys = Readonly<Record<string, (text: string) => Condition | undefined>>;

/**
 * A condition that every word and every `key:value` of a search must match. As with sites, an unknown key and an invalid
 * value are searched for as text.
 *
 * @param searched the SQL text whose words are searched
 */
export function searchCondition(q: string | undefined, keys: SearchKeys, searched: Condition) {
  const texts: string[] = [];
  const conditions: Condition[] = [];
  const terms = (q ?? '').split(/\s+/).filter((term) => term !== '');
  for (const term of terms.slice(0, MAX_TERMS)) {
    const [, key = '', text = ''] = /^([a-z_]+):(.+)$/i.exec(term) ?? [];
    const condition = Object.hasOwn(keys, key) ? keys[key]?.(text) : undefined;
    if (condition === undefined) texts.push(term);
    else conditions.push(condition);
  }
  if (texts.length > 0) conditions.push(sql`search_words(${searched}) @@ search_query(${texts.join(' ')})`);
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** The one of some values that a text is, in any letter case. */
export function oneOf<Value extends string>(values: readonly Value[], text: string): Value | undefined {
  return values.find((value) => value === text.toLowerCase());
}
