/** The place that an answer redirects to, as far as a person can distinguish places. */
export type RedirectTarget =
  | { readonly kind: 'computer' }
  | { readonly kind: 'app'; readonly scheme: string }
  | { readonly kind: 'host'; readonly host: string };

/** @param host with a port if there is one; a scheme where an app opens the address */
export function redirectTarget(host: string): RedirectTarget {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(host)) return { kind: 'computer' };
  return host.endsWith(':') ? { kind: 'app', scheme: host } : { kind: 'host', host };
}
