/** A date of a search, with a time or without; undefined for another text. */
export function dateOf(text: string): Date | undefined {
  // Four-digit years only: the range of PostgreSQL is smaller than that of JavaScript.
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}

/** The id of a search; undefined for another text. */
export function idOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
