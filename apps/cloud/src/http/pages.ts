import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { App } from './app-type.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Browser cache lifetime in seconds: short, so that updates show soon. */
const MAX_AGE_S = 300;

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
  serve(app, path, Buffer.from(html), '.html', {
    'content-security-policy': policy,
    // For browsers that do not know the directive.
    ...(!framedByAnyone && { 'x-frame-options': 'DENY' }),
    // Links in mails carry tokens.
    'referrer-policy': 'no-referrer',
  });
}

/** Serves a script or a style sheet, read once; the media type follows from its extension. */
export function serveFile(app: App, path: string, file: string): void {
  serve(app, path, readFileSync(file), extname(path), {});
}

function serve(
  app: App,
  path: string,
  content: Buffer,
  extension: string,
  headers: Record<string, string>,
): void {
  const type = MEDIA_TYPES[extension];
  if (type === undefined) throw new Error(`No media type for ${path}`);
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  app.get(path, (request, reply) => {
    reply.headers({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': `public, max-age=${MAX_AGE_S}`,
      etag,
      ...headers,
    });
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(content);
  });
}
