import { parseUrl } from '@heliograph/kit/parse-url';

/**
 * A path of these pages and nothing else, so that no link beginning with our address leads elsewhere.
 *
 * @param wanted the path in the link
 * @param fallback for a link that leads elsewhere, and for one to the sign-in page, which would lead in a circle
 */
export function ownPath(wanted: string | null, fallback: string): string {
  if (wanted === null || !/^\/(?![/\\])/.test(wanted)) return fallback;
  const url = parseUrl(wanted, location.origin);
  if (url === undefined) return fallback;
  const { origin, pathname, search, hash } = url;
  if (origin !== location.origin || pathname.startsWith('//')) return fallback;
  return pathname === '/sign_in' ? fallback : `${pathname}${search}${hash}`;
}

/** The way to the sign-in page, and from there back to where the visitor is now. */
export function signInPath(): string {
  const here = `${location.pathname}${location.search}${location.hash}`;
  return here === '/' ? '/sign_in' : `/sign_in?${new URLSearchParams({ return_to: here })}`;
}
