/**
 * Compares names as the reader's language sorts them, with the numbers in them by their value: Dach 2 before Dach 10.
 *
 * @param locale BCP 47, the language of the page
 */
export function nameOrder(locale: string): (one: string, other: string) => number {
  return new Intl.Collator(locale, { numeric: true }).compare;
}
