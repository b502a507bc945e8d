import type { LazyPage } from '../shared/routing/lazy-page.ts';
import { type PageSource, pagesOf } from '../shared/routing/page-source.ts';

export interface DevicePageSource extends PageSource {
  /** `writer` is for whoever knows the device password, and for those who may change settings of the site. */
  readonly access: 'reader' | 'writer';
}

export type DevicePage = DevicePageSource & LazyPage;

const overview = () => import('./overview/overview-page.tsx');
const settings = () => import('./settings/settings-page.tsx');

/** `/totals`, `/power` and `/inverter/settings` are where other programs lead people. */
const SOURCES: readonly DevicePageSource[] = [
  { path: '/', access: 'reader', texts: ['site'], load: overview },
  { path: '/totals', access: 'reader', texts: ['site'], load: overview },
  { path: '/power', access: 'reader', texts: ['site'], load: overview },
  { path: '/history', access: 'reader', texts: ['site'], load: () => import('./history/history-page.tsx') },
  { path: '/settings', access: 'reader', texts: ['site'], load: settings },
  { path: '/inverter/settings', access: 'reader', texts: ['site'], load: settings },
  { path: '/log', access: 'writer', texts: ['site'], load: () => import('./log/log-page.tsx') },
  { path: '/links', access: 'writer', texts: ['site'], load: () => import('./links/links-page.tsx') },
  { path: '/probe', access: 'writer', texts: ['site'], load: () => import('./probe/probe-page.tsx') },
  { path: '/claim', access: 'writer', texts: ['site'], load: () => import('./claim/claim-page.tsx') },
  {
    path: '/configuration',
    access: 'writer',
    texts: ['site'],
    load: () => import('./configuration/configuration-page.tsx'),
  },
  {
    path: '/configuration/system',
    access: 'writer',
    texts: ['site'],
    load: () => import('./configuration/password/password-page.tsx'),
  },
  {
    path: '/configuration/activate',
    access: 'writer',
    texts: ['site'],
    load: () => import('./claim/claim-page.tsx'),
  },
  {
    path: '/configuration/setup',
    access: 'writer',
    texts: ['site'],
    load: () => import('./setup/setup-page.tsx'),
  },
];

/** Every page of the device for whoever is let in. */
export const PAGES: readonly DevicePage[] = pagesOf(SOURCES);
