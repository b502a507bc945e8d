/** A language with a country; a browser may ask for stranger ones, which `Intl` would refuse. */
const WITH_COUNTRY = /^[a-z]{2,3}-[A-Z]{2}$/;

/**
 * The language with the region of the reader, where the browser has one: clocks of Britain show 24 hours, those of
 * the United States twelve.
 *
 * @param language BCP 47, of the texts
 * @param preferred the languages of the browser, the most preferred first
 */
export function regionalTag(language: string, preferred: readonly string[]): string {
  const regional = preferred.find((tag) => tag.startsWith(`${language}-`) && WITH_COUNTRY.test(tag));
  return regional ?? language;
}
