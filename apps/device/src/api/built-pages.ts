import { servePages } from '@heliograph/pages/serve';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../auth/access.ts';
import { originOf } from './origin.ts';
import { tokenIn } from './session-cookie.ts';

/** Where the device has pages; they decide by the path what to show. */
const PATHS = [
  '/',
  '/sign_in',
  '/totals',
  '/power',
  '/history',
  '/inverter/settings',
  '/settings',
  '/log',
  '/links',
  '/configuration',
  '/configuration/*',
  '/probe',
  '/claim',
];

/** Serves the device's pages, which call its API as anybody else does. They say nothing secret before that. */
export function builtPages(app: FastifyInstance, { password }: Pick<Access, 'password'>): void {
  servePages(app, {
    entry: 'device',
    paths: PATHS,
    sessionHint({ raw, headers }) {
      // The proxy lets nobody through to a page who is not signed in to it.
      if (originOf(raw).via === 'proxy' || tokenIn(headers.cookie) !== undefined) return 'signed-in';
      return password.isSet ? 'signed-out' : undefined;
    },
  });
}
