/** The names of a person, of which either may be empty. */
interface Named {
  readonly first_name: string;
  readonly last_name: string;
}

/**
 * Languages that write the family name first, with their script: a name in another one is of another language. Source: CLDR,
 * personNames, `surnameFirst`.
 */
const FAMILY_NAME_FIRST: ReadonlyMap<string, RegExp> = new Map([
  ['hu', /\p{Script=Latin}/u],
  ['vi', /\p{Script=Latin}/u],
  ['zh', /\p{Script=Han}/u],
]);

/** Scripts of languages that write the family name first and no space, Katakana aside, which has the names of foreigners. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]+$/u;

const LETTER = /\p{L}/u;

/** Whether forms have the family name first. @param locale such as `zh_TW` or `hu` */
export function hasFamilyNameFirst(locale: string): boolean {
  return FAMILY_NAME_FIRST.has(languageOf(locale));
}

/**
 * First and last name, in the order of their language; empty when neither is known. Chinese, Japanese and Korean names have the
 * family name first and no space, whatever the language of the reader. Other names have it first where that language does and
 * all of their letters are of its script.
 *
 * @param locale of the person; of the reader where that is unknown
 */
export function fullName({ first_name, last_name }: Named, locale = 'en'): string {
  const [first, last] = [first_name.trim(), last_name.trim()];
  if (UNSPACED.test(first) && UNSPACED.test(last)) return last + first;
  const script = FAMILY_NAME_FIRST.get(languageOf(locale));
  const isFamilyFirst =
    script !== undefined && [...first, ...last].every((sign) => !LETTER.test(sign) || script.test(sign));
  return (isFamilyFirst ? `${last} ${first}` : `${first} ${last}`).trim();
}

/** As `fullName`; without either name, the email address. */
export function personName(person: Named & { readonly email: string }, locale?: string): string {
  return fullName(person, locale) || person.email;
}

function languageOf(locale: string): string {
  return locale.split(/[-_]/)[0] ?? '';
}
