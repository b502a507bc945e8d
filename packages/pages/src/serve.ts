import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ASSETS } from './built-pages.ts';
import { type PageSenderOptions, pageSender } from './page-sender.ts';

export interface PagesOptions extends PageSenderOptions {
  /** Where pages are; the application decides by the path what to show. */
  readonly paths: readonly string[];
}

/** The names of files are digests of what is in them, so a browser never asks again. */
const KEPT_FOR = '365d';

/**
 * Serves applications: their HTML at the paths, made for each visitor, and the hashed files below `/assets`, compressed
 * where the client takes it. Where nobody has built the pages, their paths answer 503 and say so.
 */
export function servePages(app: FastifyInstance, ...applications: readonly PagesOptions[]): void {
  for (const { paths, ...page } of applications) {
    const send = pageSender(page);
    for (const path of paths) {
      app.get(path, { schema: { hide: true } as object }, (request, reply) => send(request, reply));
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
    maxAge: KEPT_FOR,
    cacheControl: true,
    schemaHide: true,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
}
