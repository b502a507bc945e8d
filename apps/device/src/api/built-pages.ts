import { servePages } from '@heliograph/pages/serve';
import type { FastifyInstance } from 'fastify';

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
export function builtPages(app: FastifyInstance): void {
  servePages(app, { entry: 'device', paths: PATHS });
}
