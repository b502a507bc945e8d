/** A language with a country; a browser may ask for stranger ones, which `Intl` would refuse. */
const WITH_COUNTRY = /^[a-z]{2,3}-[A-Z]{2}$/;

/**
 * A language as people of the reader's country write it, where the browser tells: clocks of Britain show 24 hours, those
 * of the United States twelve.
 *
 * @param language BCP 47, the one that texts are in
 * @param preferred what the browser asks for, the most wanted first
 */
export function regionalTag(language: string, preferred: readonly string[]): string {
  const regional = preferred.find((tag) => tag.startsWith(`${language}-`) && WITH_COUNTRY.test(tag));
  return regional ?? language;
}
