import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { serveContent } from '@heliograph/http/serve-content';
import type { App } from './app-type.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Pages load and call their own origin alone, and nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export interface ServedPageOptions {
  /** Whether pages of other origins may show it in a frame. */
  readonly framedByAnyone?: boolean;
}

/** Serves a page from memory. */
export function servePage(app: App, path: string, html: string, options: ServedPageOptions = {}): void {
  const { framedByAnyone = false } = options;
  // Without the directive every origin may; `*` would exclude the schemes that apps serve their own pages with.
  const policy = framedByAnyone ? POLICY : `${POLICY}; frame-ancestors 'none'`;
  const headers = {
    'content-security-policy': policy,
    // For browsers that do not know the directive.
    ...(!framedByAnyone && { 'x-frame-options': 'DENY' }),
    // Links in mails carry tokens.
    'referrer-policy': 'no-referrer',
  };
  serveContent(app, path, { type: 'text/html; charset=utf-8', headers, make: () => html });
}

/** Serves a script or a style sheet, read once; the media type follows from its extension. */
export function serveFile(app: App, path: string, file: string): void {
  const type = MEDIA_TYPES[extname(path)];
  if (type === undefined) throw new Error(`No media type for ${path}`);
  const content = readFileSync(file);
  serveContent(app, path, { type, make: () => content });
}
