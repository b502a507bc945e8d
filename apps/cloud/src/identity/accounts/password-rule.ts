import { MIN_PASSWORD_LENGTH, type PasswordRule, unmetRules } from '@heliograph/contracts/password-rules';
import { ValidationError } from '@heliograph/kit';
import { isGuessable } from '@heliograph/kit/passwords';
import { SERVICE_NAME } from '../../common/config/env.ts';

const MESSAGES: Readonly<Record<PasswordRule, string>> = {
  length: `must have at least ${MIN_PASSWORD_LENGTH} characters`,
  lower: 'must have a lower case letter',
  upper: 'must have an upper case letter',
  other: 'must have a digit or punctuation',
};

const GUESSABLE = 'is too easy to guess: it is a common one, or made of your name, address or organization';

/**
 * The errors of a new password, as ends of a sentence that begins with the field's name; empty for a good one.
 *
 * @param personalTerms the account's email address, names and organization
 */
export function passwordErrors(password: string, personalTerms: readonly string[] = []): string[] {
  if (password === '') return ["can't be blank"];
  const missing = unmetRules(password).map((rule) => MESSAGES[rule]);
  if (missing.length === 0 && isGuessable(password, [SERVICE_NAME, ...personalTerms])) return [GUESSABLE];
  return missing;
}

/** @throws ValidationError for a password with errors */
export function requireStrongPassword(password: string, personalTerms: readonly string[]): void {
  const errors = passwordErrors(password, personalTerms);
  if (errors.length > 0) throw new ValidationError({ password: errors });
}
