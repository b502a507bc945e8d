/** Control characters, and those that turn the direction of the text after them around. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text that came from elsewhere, safe to show: characters that could move the cursor, recolour the terminal or
 * make text read otherwise than it is become visible replacements.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\u{FFFD}');
}

/** A value as JSON that is safe to show: what would reach the terminal as a control character is escaped. */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  // JSON's own escapes cover the rest; line feeds of the layout are the only controls that may stay.
  return json.replaceAll(UNPRINTABLE, (char) => {
    return char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
