/**
 * The Content-Security-Policy of a page: only its own origin, and nothing inline.
 *
 * @param nonce allows the style elements that components insert, and the page's entry script
 * @param connectSources further origins that scripts may connect to
 */
export function pagePolicy(nonce: string, connectSources: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connectSources].join(' ')}`,
    "worker-src 'self'",
    // The bot check is a page of the service in a frame.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
