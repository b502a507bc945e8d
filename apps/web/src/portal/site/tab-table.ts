/** The parts of a site, each at an address of its own, and how to load it. */
export const TAB_SOURCES = [
  {
    path: '/sites/:id',
    part: '',
    name: 'tabs.overview',
    texts: ['site'],
    load: () => import('./overview-tab.tsx'),
  },
  {
    path: '/sites/:id/energy',
    part: '/energy',
    name: 'tabs.energy',
    texts: ['site', 'energy', 'prices', 'curve', 'siteDevice'],
    load: () => import('./energy-tab.tsx'),
  },
  {
    path: '/sites/:id/metrics',
    part: '/metrics',
    name: 'tabs.metrics',
    texts: ['site', 'metrics'],
    load: () => import('./metrics-tab.tsx'),
  },
  {
    path: '/sites/:id/alerts',
    part: '/alerts',
    name: 'tabs.alerts',
    texts: ['site', 'alerts', 'settings'],
    load: () => import('./alerts-tab.tsx'),
  },
  {
    path: '/sites/:id/settings',
    part: '/settings',
    name: 'tabs.settings',
    texts: ['site', 'settings'],
    load: () => import('./settings-tab.tsx'),
  },
  {
    path: '/sites/:id/people',
    part: '/people',
    name: 'tabs.people',
    texts: ['members'],
    load: () => import('./people/people-tab.tsx'),
  },
  {
    path: '/sites/:id/support',
    part: '/support',
    name: 'tabs.support',
    texts: ['recovery'],
    load: () => import('./recovery/support-tab.tsx'),
  },
  {
    path: '/sites/:id/device',
    part: '/device',
    name: 'tabs.device',
    texts: ['site', 'siteDevice', 'settings', 'moving', 'leaving'],
    load: () => import('./device-tab.tsx'),
  },
] as const;
