/**
 * Parses an address as `URL.parse` does, which the oldest supported browsers lack.
 *
 * @param base of a relative address
 * @returns undefined for text that is not an address
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
