import { PAGE_SIZE } from '../parts/page-size.ts';
import type { PortalPageSource } from '../parts/portal-page.ts';
import { portalPath } from '../parts/portal-path.ts';
import { rememberedLayout } from './remembered-layout.ts';
import { queryOf, searchFrom } from './search.ts';

/** Before those of one site, whose pattern takes every path below `/sites`. */
export const sitesPages: readonly PortalPageSource[] = [
  {
    path: '/sites',
    access: 'user',
    texts: ['sites'],
    load: () => import('./sites-page.tsx'),
    preload: ({ searchParams }) => {
      const search = searchFrom(searchParams, rememberedLayout());
      if (search.layout !== 'cards') return {};
      // As the client writes it: an answer to another spelling would be asked for twice.
      const q = encodeURIComponent(queryOf(search)).replaceAll('*', '%2A');
      return { gets: [`${portalPath<'listSites'>('GET /api/v1/sites')}?q=${q}&limit=${PAGE_SIZE}&offset=0`] };
    },
  },
  {
    path: '/sites/add',
    access: 'user',
    texts: ['sites', 'adding'],
    load: () => import('./add-site-page.tsx'),
  },
  {
    path: '/sites/local',
    access: 'user',
    texts: ['sites', 'adding'],
    load: () => import('./nearby-page.tsx'),
  },
  { path: '/sites/offline', access: 'user', texts: ['sites'], load: () => import('./offline-page.tsx') },
];
