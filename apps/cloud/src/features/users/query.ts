/** More words than anyone types; the rest of a longer query is left out, so that its cost has a bound. */
const MAX_TERMS = 16;

/** Where the index parts words: see `search_words` in the migrations. */
const SEPARATORS = /[^0-9A-Za-z\u0080-\u{10ffff}]+/u;

/**
 * The words that `q` searches for, each once; undefined when it asks for what nothing can match, because one of
 * its terms has neither letters nor digits.
 */
export function searchTermsOf(q = ''): readonly string[] | undefined {
  const terms = q.split(/\s+/).filter((term) => term !== '');
  const words = terms.map((term) => term.split(SEPARATORS).filter((word) => word !== ''));
  if (words.some((parts) => parts.length === 0)) return undefined;
  return [...new Set(words.flat())].slice(0, MAX_TERMS);
}
