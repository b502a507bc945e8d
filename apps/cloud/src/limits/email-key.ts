/**
 * The key of an email address in rate limits, equal for all spellings that are equal in the database. Its `lower()`
 * goes character by character, where `toLowerCase()` of a whole text makes two of `İ` and looks at what is next to
 * `Σ`: an attacker could mix these in to start a new count for the same account.
 */
export function emailKey(email: string): string {
  const lower = Array.from(email.trim(), (character) => [...character.toLowerCase()][0]);
  return lower.join('');
}
