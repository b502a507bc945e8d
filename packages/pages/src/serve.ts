import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ASSETS } from './built-pages.ts';
import { type PageSenderOptions, pageSender } from './page-sender.ts';

export interface PagesOptions extends PageSenderOptions {
  /** Paths of the pages; the application routes within them. */
  readonly paths: readonly string[];
}

/** File names contain digests of the content, so a copy never becomes stale. */
const ASSET_MAX_AGE = '365d';

/**
 * Serves applications: their HTML at the paths, rendered for each request, and the hashed files below `/assets`, compressed
 * where the client accepts that. While the pages are not built, their paths answer 503.
 */
export function servePages(app: FastifyInstance, ...applications: readonly PagesOptions[]): void {
  for (const { paths, ...page } of applications) {
    const send = pageSender(page);
    for (const path of paths) {
      app.get(path, (request, reply) => send(request, reply));
    }
  }
  if (!existsSync(ASSETS)) return;
  app.register(fastifyStatic, {
    root: ASSETS,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: ASSET_MAX_AGE,
    cacheControl: true,
    // A file that never changes is not asked for again, and headers of dozens of small files add up on a slow line.
    acceptRanges: false,
    lastModified: false,
    etag: false,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
}
