/**
 * A language as people of the reader's region write it, where the browser tells: clocks of Britain show 24 hours, those
 * of the United States twelve.
 *
 * @param language BCP 47, the one that texts are in
 * @param preferred what the browser asks for, the most wanted first
 */
export function regionalTag(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}
