const MAX_LENGTH = 2_000;

/** Stands for the host that the path is for; nothing can be there (RFC 2606). */
const HERE = 'http://here.invalid';

/**
 * The redirect target after sign-in, always a path on this host. Browsers take `//` and
 * `/\` for the beginning of another host, and drop tabs and line ends wherever they stand.
 *
 * @param wanted path and query of an untrusted link
 * @returns the path as browsers read it, with query and fragment; `/` where it is not one
 */
export function returnPath(wanted: string | null): string {
  if (wanted === null || wanted.length > MAX_LENGTH || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(wanted)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, HERE);
  // Dots vanish when a path is read: `/.//host` is `//host` then.
  return origin === HERE && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
