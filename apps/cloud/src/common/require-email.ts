import { EMAIL_PATTERN, NO_EMAIL_ADDRESS } from '@heliograph/contracts';
import {
  AMBIGUOUS_EMAIL_ADDRESS,
  type CanonicalEmail,
  canonicalEmail,
} from '@heliograph/contracts/email-address';
import { ValidationError } from '@heliograph/kit';

const EMAIL = new RegExp(EMAIL_PATTERN);

/** The violation of a text that is to become the address of an account; undefined for one with a canonical form. */
export function emailViolation(typed: string): string | undefined {
  if (canonicalEmail(typed) !== undefined) return undefined;
  if (typed.trim() === '') return "can't be blank";
  return EMAIL.test(typed) ? AMBIGUOUS_EMAIL_ADDRESS : NO_EMAIL_ADDRESS;
}

/** @throws ValidationError of `email` for a text that is not an address, or an ambiguous one */
export function requireEmail(typed: string): CanonicalEmail {
  const email = canonicalEmail(typed);
  if (email === undefined) throw new ValidationError({ email: [emailViolation(typed) ?? NO_EMAIL_ADDRESS] });
  return email;
}
