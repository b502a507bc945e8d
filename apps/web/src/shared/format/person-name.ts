import * as names from '@heliograph/kit/person-name';
import i18next from 'i18next';

interface Named {
  readonly first_name: string;
  readonly last_name: string;
}

/**
 * Both names in the order of their language; empty when neither is known.
 *
 * @param locale of the person; the reader's where it is unknown
 */
export function fullName(person: Named, locale: string = i18next.language): string {
  return names.fullName(person, locale);
}

/** The name of a person; the email address of one without a name. */
export function personName(
  person: Named & { readonly email: string },
  locale: string = i18next.language,
): string {
  return names.personName(person, locale);
}
