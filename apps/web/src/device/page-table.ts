import type { PageSource } from '../shared/routing/page-source.ts';

export interface DevicePageSource extends PageSource {
  /** `writer` may change settings, `configurator` the configuration. */
  readonly access: 'reader' | 'writer' | 'configurator';
}

/** Part of the layout's chunk: one request less for the page that is opened most. */
const overview = {
  access: 'reader',
  texts: ['site'],
  load: async () => ({ Page: (await import('./authenticated-layout.tsx')).Overview }),
} as const;
const settings = {
  access: 'reader',
  texts: ['site', 'settings', 'settingNames'],
  load: () => import('./settings/settings-page.tsx'),
} as const;
const claim = {
  access: 'configurator',
  texts: ['configuration'],
  load: () => import('./claim/claim-page.tsx'),
} as const;

/** The frame of all pages behind the sign-in. */
export const AUTHENTICATED_LAYOUT: PageSource = {
  path: '*',
  texts: [],
  load: () => import('./authenticated-layout.tsx'),
};

/** Stands at every path while there is no session. */
export const SIGN_IN: PageSource = {
  path: '*',
  texts: [],
  load: () => import('./sign-in/sign-in-page.tsx'),
};

/** `/metrics` is the device's own monitoring, so its metrics are at `/values`. `/totals`, `/power`, `/inverter/settings` and `/configuration/activate` are where other programs lead people. */
export const SOURCES: readonly DevicePageSource[] = [
  { path: '/', ...overview },
  { path: '/totals', ...overview },
  { path: '/power', ...overview },
  {
    path: '/energy',
    access: 'reader',
    texts: ['site', 'energy', 'prices', 'curve'],
    load: () => import('./energy/energy-page.tsx'),
  },
  {
    path: '/history',
    access: 'reader',
    texts: ['site', 'history', 'curve', 'metrics', 'metricNames'],
    load: () => import('./history/history-page.tsx'),
  },
  {
    path: '/values',
    access: 'reader',
    texts: ['site', 'metrics', 'metricNames'],
    load: () => import('./metrics/metrics-page.tsx'),
  },
  {
    path: '/alerts',
    access: 'reader',
    texts: ['site', 'alerts', 'settings', 'receivers'],
    load: () => import('./alerts/alerts-page.tsx'),
  },
  { path: '/settings', ...settings },
  { path: '/inverter/settings', ...settings },
  {
    path: '/log',
    access: 'writer',
    texts: ['configuration', 'site', 'settings', 'settingNames'],
    load: () => import('./settings/log-page.tsx'),
  },
  {
    path: '/links',
    access: 'configurator',
    texts: ['configuration', 'site'],
    load: () => import('./links/links-page.tsx'),
  },
  {
    path: '/probe',
    access: 'configurator',
    texts: ['configuration'],
    load: () => import('./probe/probe-page.tsx'),
  },
  { path: '/claim', ...claim },
  { path: '/configuration/activate', ...claim },
  {
    path: '/configuration',
    access: 'configurator',
    texts: ['configuration', 'settings', 'site'],
    load: () => import('./configuration/configuration-page.tsx'),
  },
  {
    path: '/configuration/system',
    access: 'configurator',
    texts: ['configuration'],
    load: () => import('./configuration/password-page.tsx'),
  },
  {
    path: '/configuration/diagnostics',
    access: 'writer',
    texts: ['configuration'],
    load: () => import('./diagnostics/diagnostics.tsx'),
  },
  {
    path: '/configuration/backup',
    access: 'configurator',
    texts: ['configuration'],
    load: () => import('./backup/backup-page.tsx'),
  },
  {
    path: '/configuration/setup',
    access: 'configurator',
    texts: ['configuration'],
    load: () => import('./setup/setup-page.tsx'),
  },
];
