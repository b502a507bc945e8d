/** The names of a person, of which either may be empty. */
interface Named {
  readonly first_name: string;
  readonly last_name: string;
}

/** Languages that write the family name first, beside names in Han characters. Source: CLDR, personNames, `surnameFirst`. */
const FAMILY_NAME_FIRST: readonly string[] = ['hu', 'vi', 'zh'];

const HAN = /^\p{Script=Han}+$/u;
const LATIN = /\p{Script=Latin}/u;

/** Whether forms have the family name first. @param locale such as `zh_TW` or `hu` */
export function hasFamilyNameFirst(locale: string): boolean {
  return FAMILY_NAME_FIRST.includes(languageOf(locale));
}

/**
 * First and last name, in the order of their language; empty when neither is known. Names in Han characters have the family
 * name first and no space, whatever the language of the reader; names in Latin letters do not become Chinese.
 *
 * @param locale of the person; of the reader where that is unknown
 */
export function fullName({ first_name, last_name }: Named, locale = 'en'): string {
  const [first, last] = [first_name.trim(), last_name.trim()];
  if (HAN.test(first) && HAN.test(last)) return last + first;
  const isFamilyFirst =
    hasFamilyNameFirst(locale) && !(languageOf(locale) === 'zh' && LATIN.test(first + last));
  return (isFamilyFirst ? `${last} ${first}` : `${first} ${last}`).trim();
}

/** As `fullName`; without either name, the email address. */
export function personName(person: Named & { readonly email: string }, locale?: string): string {
  return fullName(person, locale) || person.email;
}

function languageOf(locale: string): string {
  return locale.split(/[-_]/)[0] ?? '';
}
