import { deviceOperations } from '@heliograph/contracts/operations/device';
import { pathOf } from '@heliograph/contracts/operations/path-of';
import { portalOperations } from '@heliograph/contracts/operations/portal';
import type { Plugin } from 'vite';

/** The first request of every page of an application, which its HTML preloads. */
const SESSIONS: Readonly<Record<string, string>> = {
  '/portal.html': pathOf(portalOperations.getPortalSession.route),
  '/device.html': pathOf(deviceOperations.getSession.route),
};

/** Puts the path of the application's session in the place of `%SESSION%`. */
export function sessionPreloads(): Plugin {
  return {
    name: 'heliograph:session-preloads',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) => html.replaceAll('%SESSION%', SESSIONS[path] ?? ''),
    },
  };
}
