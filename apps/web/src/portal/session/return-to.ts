/** The way to the sign-in page, and from there back to where the visitor is now. */
export function signInPath(): string {
  const here = `${location.pathname}${location.search}${location.hash}`;
  return here === '/' ? '/sign_in' : `/sign_in?${new URLSearchParams({ return_to: here })}`;
}

/**
 * Where to go after signing in: a path of these pages and nothing else, whatever the link says, so that nobody is led
 * away by a link that begins with our address.
 *
 * @param wanted what the link says
 */
export function returnPath(wanted: string | null): string {
  const fallback = '/sites';
  if (wanted === null || !/^\/(?![/\\])/.test(wanted)) return fallback;
  if (!URL.canParse(wanted, location.origin)) return fallback;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  if (origin !== location.origin || pathname.startsWith('//')) return fallback;
  // It would lead in a circle.
  return pathname === '/sign_in' ? fallback : `${pathname}${search}${hash}`;
}
