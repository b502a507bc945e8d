import * as names from '@heliograph/kit/person-name';
import type { ReactNode } from 'react';
import { currentLocale } from '../../shared/i18n/i18n.ts';

interface Named {
  readonly first_name: string;
  readonly last_name: string;
}

/**
 * Both names in the order of their language; empty when neither is known.
 *
 * @param locale of the person; the reader's where it is unknown
 */
export function fullName(person: Named, locale: string = currentLocale()): string {
  return names.fullName(person, locale);
}

/** The name of a person; the email address of one without a name. */
export function personName(
  person: Named & { readonly email: string },
  locale: string = currentLocale(),
): string {
  return names.personName(person, locale);
}

/** The fields of both names of a form, in the order of the reader's language. */
export function inNameOrder(first: ReactNode, last: ReactNode): ReactNode {
  return names.hasFamilyNameFirst(currentLocale()) ? [last, first] : [first, last];
}
