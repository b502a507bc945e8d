export interface Country {
  /** ISO 3166-1, two letters. */
  readonly code: string;
  readonly name: string;
}

/** Codes that `Intl` has names for and that are no countries: unions, tests, unknown regions. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** All countries by their names. @param locale of the reader, which sorts them, too */
export function countriesIn(locale: string): readonly Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const countries = codes.flatMap((code) => {
    const name = NO_COUNTRIES.has(code) ? undefined : names.of(code);
    return name === undefined ? [] : [{ code, name }];
  });
  const { compare } = new Intl.Collator(locale);
  return countries.sort((one, other) => compare(one.name, other.name));
}

/** The country of the reader's browser; empty when it names none. */
export function countryOf(languages: readonly string[]): string {
  return languages.map((tag) => new Intl.Locale(tag).region).find((region) => region?.length === 2) ?? '';
}
