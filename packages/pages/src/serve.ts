import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ASSETS, NotBuilt, type PageEntry } from './built-pages.ts';
import { pagePolicy } from './policy.ts';
import { preferencesOf } from './preferences.ts';
import { makeShell, type Shell } from './shell.ts';

export interface PagesOptions {
  readonly entry: PageEntry;
  /** Where pages are; the application decides by the path what to show. */
  readonly paths: readonly string[];
  /** Where scripts may connect to besides the own origin, such as `wss://proxy.example.com`; asked for every page. */
  readonly connectSources?: () => readonly string[];
}

/** The names of files are digests of what is in them, so a browser never asks again. */
const KEPT_FOR = '365d';

/**
 * Serves applications: their HTML at the paths, made for each visitor, and the hashed files below `/assets`, compressed
 * where the client takes it. Where nobody has built the pages, their paths answer 503 and say so.
 */
export function servePages(app: FastifyInstance, ...applications: readonly PagesOptions[]): void {
  for (const application of applications) servePaths(app, application);
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

function servePaths(app: FastifyInstance, { entry, paths, connectSources = () => [] }: PagesOptions): void {
  for (const path of paths) {
    app.get(path, { schema: { hide: true } as object }, (request, reply) => {
      const shell = shellOf(() => makeShell(entry, preferencesOf(request.headers)));
      if (shell === undefined) {
        return reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send('The pages are not built: npm run build, and start again\n');
      }
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': pagePolicy(shell.nonce, connectSources()),
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          // Links in mails carry tokens.
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
        .send(shell.html);
    });
  }
}

function shellOf(make: () => Shell): Shell | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotBuilt) return undefined;
    throw error;
  }
}
