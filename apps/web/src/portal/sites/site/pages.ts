import type { Site } from '@heliograph/client';
import { LATER } from '../../../shared/routing/fill-shell.ts';
import type { PortalPageSource } from '../../routing/portal-page.ts';
import { portalPath } from '../../routing/portal-path.ts';
import { TAB_SOURCES } from './tab-table.ts';

/** One page for all parts of a site: going from one to another keeps the connection to its device. */
export const sitePages: readonly PortalPageSource[] = [
  {
    path: '/sites/:id/*?',
    access: 'user',
    texts: ['sites', 'site'],
    async load() {
      const { SitePage: Page, loader } = await import('./first-view.ts');
      return { Page, loader };
    },
    parts: TAB_SOURCES,
    preload({ pathname }) {
      const id = /^\/sites\/([1-9]\d*)(?:\/|$)/.exec(pathname)?.[1];
      if (id === undefined) return {};
      return {
        shell: {
          gets: [portalPath<'getSite'>('GET /api/v1/sites/{id}', { id })],
          fields([site]) {
            const { name, description } = site as Site;
            return { name: name ?? LATER, description: description ?? '' };
          },
        },
        posts: [portalPath<'authorizeSite'>('POST /api/v1/sites/{id}/authorize', { id })],
      };
    },
  },
];
