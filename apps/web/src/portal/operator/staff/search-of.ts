/** A search of a list: a text, and keys with their values. Keys without a value are left out. */
export function searchOf(searched: string, keys: Readonly<Record<string, string>>): string {
  const terms = Object.entries(keys).flatMap(([key, value]) => (value === '' ? [] : [`${key}:${value}`]));
  return [...terms, searched].join(' ').trim();
}
