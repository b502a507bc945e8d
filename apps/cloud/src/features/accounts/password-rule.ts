const MIN_LENGTH = 8;

/** What a password has to have besides its length. Letters of every script count, by their case. */
const INGREDIENTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Ll}/u, 'must have a lower case letter'],
  [/\p{Lu}/u, 'must have an upper case letter'],
  [/[\p{N}\p{P}\p{S}]/u, 'must have a digit or punctuation'],
];

/** What is wrong with a new password, as endings of a sentence that begins with its field; empty when nothing is. */
export function complaintsAbout(password: string): string[] {
  if (password === '') return ["can't be blank"];
  const missing = INGREDIENTS.filter(([pattern]) => !pattern.test(password)).map(
    ([, complaint]) => complaint,
  );
  // Characters as a person counts them: one outside the basic plane is one.
  if ([...password].length < MIN_LENGTH) missing.unshift(`must have at least ${MIN_LENGTH} characters`);
  return missing;
}
