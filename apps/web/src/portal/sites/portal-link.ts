/** What the links that devices print ask for, and the page that does it. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['register', '/sites/add'],
  ['activate', '/sites/add'],
  ['local', '/sites/local'],
  ['offline', '/sites/offline'],
]);

/**
 * Where a link such as `/sites#register?uid=…&callback=…` leads: these pages are found by their paths, and other
 * programs know them by what stands behind the `#`.
 *
 * @param hash as the browser has it, with its `#`
 * @returns undefined for any other
 */
export function pathOfPortalLink(hash: string): string | undefined {
  const [, wish = '', query = ''] = /^#\/?([a-z]+)(?:\?(.*))?$/.exec(hash) ?? [];
  const page = PAGES.get(wish);
  if (page === undefined) return undefined;
  return query === '' ? page : `${page}?${query}`;
}
