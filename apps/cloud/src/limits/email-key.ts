/**
 * What limits count an email address by: the same for all spellings that the database takes for one. Its `lower()`
 * goes character by character, where `toLowerCase()` of a whole text makes two of `İ` and looks at what is next to
 * `Σ`: whoever mixes these in would start a new count for the same account.
 */
export function emailKey(email: string): string {
  const lower = Array.from(email.trim(), (character) => [...character.toLowerCase()][0]);
  return lower.join('');
}
