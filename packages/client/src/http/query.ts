/** Query parameters; `true` is a bare flag, undefined is left out. */
export type Query = Readonly<Record<string, string | number | true | undefined>>;

/** Every reserved character is percent-encoded, slashes and stars of topic globs included. */
export function queryString(query: Query): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value === true ? [name] : [`${name}=${encode(String(value))}`];
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A');
}
