import { servePages } from '@heliograph/pages/serve';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../../access/access.ts';
import { originOf } from './origin.ts';
import type { SessionCookie } from './session-cookie.ts';

/** The paths of the device's pages; the page's script picks the view by the path. */
const PATHS = [
  '/',
  '/sign_in',
  '/totals',
  '/power',
  '/alerts',
  '/energy',
  '/history',
  '/values',
  '/inverter/settings',
  '/settings',
  '/log',
  '/links',
  '/configuration',
  '/configuration/*',
  '/probe',
  '/store',
  '/claim',
];

/** Serves the device's pages, which call its API as any client does. They hold nothing secret before that. */
export function builtPages(
  app: FastifyInstance,
  { password }: Pick<Access, 'password'>,
  cookie: SessionCookie,
): void {
  servePages(
    app,
    { entry: 'docs', paths: ['/docs'] },
    {
      entry: 'device',
      paths: PATHS,
      sessionHint({ raw, headers }) {
        // The proxy passes only signed-in browsers on to a page.
        if (originOf(raw).via === 'proxy' || cookie.tokensIn(headers.cookie).length > 0) return 'signed-in';
        return password.isSet ? 'signed-out' : undefined;
      },
    },
  );
}
