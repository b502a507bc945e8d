/** The pages of the actions in links that devices print. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['register', '/sites/add'],
  ['activate', '/sites/add'],
  ['local', '/sites/local'],
  ['offline', '/sites/offline'],
]);

/**
 * The page of a link such as `/sites#register?uid=…&callback=…`: other programs know pages by the fragment.
 *
 * @param hash with its `#`
 * @returns undefined for any other fragment
 */
export function pathOfPortalLink(hash: string): string | undefined {
  const [, action = '', query = ''] = /^#\/?([a-z]+)(?:\?(.*))?$/.exec(hash) ?? [];
  const page = PAGES.get(action);
  if (page === undefined) return undefined;
  return query === '' ? page : `${page}?${query}`;
}
