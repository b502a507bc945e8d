/** One reading in a sum or a product. */
export interface Term {
  readonly name: string;
  readonly sign: 1 | -1;
  /** Whether hardware may lack it. */
  readonly optional: boolean;
}

/** @param text the reading's name, with `-` before it to subtract and `?` after it where it may be missing */
export function termOf(text: string): Term {
  const negative = text.startsWith('-');
  const optional = text.endsWith('?');
  return {
    name: text.slice(negative ? 1 : 0, optional ? -1 : undefined).trim(),
    sign: negative ? -1 : 1,
    optional,
  };
}
