/**
 * The Content-Security-Policy of a page: it loads and calls what comes from its own origin, and nothing inline.
 *
 * @param nonce lets in the style elements that components make while they run, and the page's own entry
 * @param connectSources where scripts may connect to besides
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
    // The bot check of the service shows itself in a frame.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
