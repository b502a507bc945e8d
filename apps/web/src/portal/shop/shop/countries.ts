import { COUNTRIES } from '@heliograph/contracts/countries';
import { nameOrder } from '../../../shared/format/name-order.ts';

export interface Country {
  /** ISO 3166-1, two letters. */
  readonly code: string;
  readonly name: string;
}

/** All countries by their names. @param locale of the reader, which sorts them, too */
export function countriesIn(locale: string): readonly Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const countries = COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code }));
  const compare = nameOrder(locale);
  return countries.sort((one, other) => compare(one.name, other.name));
}

/** The country of the first language that has one; empty where none has. @param languages BCP 47 */
export function countryOf(languages: readonly string[]): string {
  const regions = languages.map((tag) => new Intl.Locale(tag).region ?? '');
  return regions.find((region) => COUNTRIES.includes(region)) ?? '';
}
