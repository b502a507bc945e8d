import { join } from 'node:path';
import { isNavigation, pageSender } from '@heliograph/pages/page-sender';
import { type PagesOptions, servePages } from '@heliograph/pages/serve';
import type { App } from '../../http/app-type.ts';
import { answerNotFound } from '../../http/errors.ts';
import { serveFile } from '../../http/pages.ts';
import { sessionTokenIn } from '../session-cookie.ts';
import { type WebAppOptions, webAppRoutes } from './web-app.ts';

/** Paths of the portal's pages; the portal resolves those below. */
const PORTAL = [
  '/',
  '/sign_in',
  '/register',
  '/password',
  '/unsubscribe',
  '/sites',
  '/sites/*',
  '/user',
  '/user/*',
  '/alerts',
  '/shop',
  '/shop/*',
  '/organizations',
  '/organizations/*',
  '/operator',
  '/operator/*',
  '/oauth/consent/:uid',
];

export interface PortalPageOptions {
  readonly webApp: WebAppOptions;
  /** Whether this is a system for development, which shows its components on a page, too. */
  readonly isDevelopment: boolean;
  /** Origins of the proxies that pages connect to. */
  readonly connectSources: () => readonly string[];
  /** Origins of the tiles of maps. */
  readonly imageSources: readonly string[];
}

/** Pages for people: the portal, which decides by the path what to show, also that there is no such page. */
export function pageRoutes(
  app: App,
  { isDevelopment, connectSources, imageSources, webApp }: PortalPageOptions,
): void {
  const portal: PagesOptions = {
    entry: 'portal',
    paths: PORTAL,
    connectSources,
    imageSources,
    sessionHint: ({ headers }) => (sessionTokenIn(headers.cookie) === undefined ? 'signed-out' : 'signed-in'),
  };
  const catalogue = { entry: 'catalogue', paths: ['/catalogue'] } as const;
  const offline: PagesOptions = { entry: 'offline', paths: ['/offline'], sessionHint: () => 'signed-out' };
  const sendPortal = pageSender(portal);
  app.setNotFoundHandler((request, reply) =>
    isNavigation(request) ? sendPortal(request, reply, 404) : answerNotFound(reply),
  );
  servePages(app, portal, offline, ...(isDevelopment ? [catalogue] : []));
  webAppRoutes(app, webApp);
  serveFile(app, '/oauth/error-page.css', join(import.meta.dirname, '../../oauth/error-page.css'));
}
