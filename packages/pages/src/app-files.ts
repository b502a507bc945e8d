import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { BUILT_PAGES } from './built-pages.ts';

/** The script of the portal's service worker. */
export const SERVICE_WORKER = join(BUILT_PAGES, 'service-worker.js');

const ICONS = join(BUILT_PAGES, 'icons');

/** Serves the icons of the app at `/icons`; their names stay the same from release to release. */
export function serveIcons(app: FastifyInstance): void {
  if (!existsSync(ICONS)) return;
  app.register(fastifyStatic, {
    root: ICONS,
    prefix: '/icons/',
    decorateReply: false,
    index: false,
    maxAge: '1d',
    cacheControl: true,
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
}
