/** Longest name that somebody gave something, in characters: agents read answers with all that stands in them. */
const MAX_NAME = 200;

/** A text that people wrote, cut where it is longer than anyone needs. Never half of a character. */
export function truncate(text: string, max = MAX_NAME): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The same for what may be unknown. */
export function truncateOrNull(text: string | null): string | null {
  return text === null ? null : truncate(text);
}
