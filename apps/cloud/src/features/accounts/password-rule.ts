import { ValidationError } from '@heliograph/kit';
import { isGuessable } from '@heliograph/kit/passwords';
import { SERVICE_NAME } from '../../config/env.ts';

const MIN_LENGTH = 8;

/** What a password has to have besides its length. Letters of every script count, by their case. */
const CHARACTER_RULES: readonly (readonly [RegExp, string])[] = [
  [/\p{Ll}/u, 'must have a lower case letter'],
  [/\p{Lu}/u, 'must have an upper case letter'],
  [/[\p{N}\p{P}\p{S}]/u, 'must have a digit or punctuation'],
];

const GUESSABLE = 'is too easy to guess: it is a common one, or made of your name, address or organization';

/**
 * What is wrong with a new password, as endings of a sentence that begins with its field; empty when nothing is.
 *
 * @param ownWords of the account: its email address, names and organization
 */
export function passwordErrors(password: string, ownWords: readonly string[] = []): string[] {
  if (password === '') return ["can't be blank"];
  const missing = CHARACTER_RULES.filter(([pattern]) => !pattern.test(password)).map(
    ([, complaint]) => complaint,
  );
  // Characters as a person counts them: one outside the basic plane is one.
  if ([...password].length < MIN_LENGTH) missing.unshift(`must have at least ${MIN_LENGTH} characters`);
  if (missing.length === 0 && isGuessable(password, [SERVICE_NAME, ...ownWords])) return [GUESSABLE];
  return missing;
}

/** @throws ValidationError when there is something wrong with a new password */
export function requireStrongPassword(password: string, ownWords: readonly string[]): void {
  const complaints = passwordErrors(password, ownWords);
  if (complaints.length > 0) throw new ValidationError({ password: complaints });
}
