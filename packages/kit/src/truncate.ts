/** Maximum length of a text of others within a message or an answer, in characters. */
const MAX_LENGTH = 200;

/** Cuts a text to `max` characters with an ellipsis, and never in the middle of a surrogate pair. */
export function truncate(text: string, max = MAX_LENGTH): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function truncateOrNull(text: string | null): string | null {
  return text === null ? null : truncate(text);
}
