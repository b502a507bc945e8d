/** The part of a compiled schema that stored values are checked with. */
export interface ValueSchema<T> {
  Check(value: unknown): value is T;
}

/**
 * The one way to read JSON out of a database: SQLite does not notice a bit that changed inside a text.
 *
 * @returns undefined where the text is damaged
 */
export function storedJson<T>(text: unknown, schema: ValueSchema<T>): T | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return schema.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** JSON whose reader checks it. */
export const ANY_VALUE: ValueSchema<NonNullable<unknown> | null> = {
  Check: (value): value is NonNullable<unknown> | null => value !== undefined,
};

/** @returns undefined for a stored word that is none of those, which is damaged */
export function storedWord<T extends string>(stored: unknown, known: readonly T[]): T | undefined {
  return known.find((word) => word === stored);
}

/** The list of words that a condition of SQL compares with, so that a limit counts rows with these alone. */
export function sqlList(known: readonly string[]): string {
  return `(${known.map((word) => `'${word}'`).join(', ')})`;
}
