/**
 * Text that came over the network, safe to show: control characters, which could move the cursor or recolour
 * the terminal, become visible replacements.
 */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
}
