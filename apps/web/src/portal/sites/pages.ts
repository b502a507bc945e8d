import type { SiteSummary } from '@heliograph/client';
import type { PortalSession } from '@heliograph/contracts';
import type { portalOperations } from '@heliograph/contracts/operations/portal';
import { LATER, type ShellFields } from '../../shared/routing/fill-shell.ts';
import type { PortalPageSource } from '../routing/portal-page.ts';
import { portalPath } from '../routing/portal-path.ts';
import { PAGE_SIZE } from '../ui/lists/page-size.ts';
import { looksAfterOthers } from './bulk/looks-after-others.ts';
import { rememberedLayout } from './list/remembered-layout.ts';
import { queryOf, searchFrom } from './list/search.ts';
import { batteryLabel, inverterLabel } from './site/device/hardware-labels.ts';

const SESSION = '/portal/session' satisfies PathOf<(typeof portalOperations)['getPortalSession']['route']>;

type PathOf<Route extends string> = Route extends `GET ${infer Path}` ? Path : never;

/** Counts without a model, and sites without a name, need texts, which come later. */
function fieldsOf(site: SiteSummary): ShellFields {
  const labels = [inverterLabel, batteryLabel].map((label) => label(site, () => ''));
  return {
    name: site.name ?? LATER,
    description: site.description ?? '',
    hardware: labels.filter((label) => label !== '').join(' · '),
  };
}

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
      const list = `${portalPath<'listSites'>('GET /api/v1/sites')}?q=${q}&limit=${PAGE_SIZE}&offset=0`;
      return {
        shell: {
          gets: [list, SESSION],
          fields([sites, session]) {
            const shown = sites as readonly SiteSummary[];
            const mayRedirect = shown.length === 1 && searchParams.size === 0;
            return mayRedirect && !looksAfterOthers(session as PortalSession)
              ? undefined
              : shown.map(fieldsOf);
          },
        },
      };
    },
  },
  {
    path: '/sites/add',
    access: 'user',
    texts: ['sites', 'adding'],
    load: () => import('./add/add-site-page.tsx'),
  },
  {
    path: '/sites/local',
    access: 'user',
    texts: ['sites', 'adding'],
    load: () => import('./add/nearby-page.tsx'),
  },
  { path: '/sites/offline', access: 'user', texts: ['sites'], load: () => import('./add/offline-page.tsx') },
];
