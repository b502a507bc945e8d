import { ValidationError } from '@heliograph/kit';
import { isGuessable } from '@heliograph/kit/passwords';
import { SERVICE_NAME } from '../../common/config/env.ts';

const MIN_LENGTH = 8;

/** Required character classes. Letters of every script count, by their case. */
const CHARACTER_RULES: readonly (readonly [RegExp, string])[] = [
  [/\p{Ll}/u, 'must have a lower case letter'],
  [/\p{Lu}/u, 'must have an upper case letter'],
  [/[\p{N}\p{P}\p{S}]/u, 'must have a digit or punctuation'],
];

const GUESSABLE = 'is too easy to guess: it is a common one, or made of your name, address or organization';

/**
 * The errors of a new password, as ends of a sentence that begins with the field's name; empty for a good one.
 *
 * @param personalTerms the account's email address, names and organization
 */
export function passwordErrors(password: string, personalTerms: readonly string[] = []): string[] {
  if (password === '') return ["can't be blank"];
  const missing = CHARACTER_RULES.filter(([pattern]) => !pattern.test(password)).map(
    ([, message]) => message,
  );
  // Code points: a character outside the basic plane counts once.
  if ([...password].length < MIN_LENGTH) missing.unshift(`must have at least ${MIN_LENGTH} characters`);
  if (missing.length === 0 && isGuessable(password, [SERVICE_NAME, ...personalTerms])) return [GUESSABLE];
  return missing;
}

/** @throws ValidationError for a password with errors */
export function requireStrongPassword(password: string, personalTerms: readonly string[]): void {
  const errors = passwordErrors(password, personalTerms);
  if (errors.length > 0) throw new ValidationError({ password: errors });
}
