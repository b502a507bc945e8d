/** Maximum length of a user-defined name, in characters, which keeps the answers to agents short. */
const MAX_NAME = 200;

/** Cuts a text to `max` characters with an ellipsis, and never in the middle of a surrogate pair. */
export function truncate(text: string, max = MAX_NAME): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function truncateOrNull(text: string | null): string | null {
  return text === null ? null : truncate(text);
}
