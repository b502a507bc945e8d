import type { PortalPageSource } from '../../routing/portal-page.ts';

export const alertPages: readonly PortalPageSource[] = [
  {
    path: '/alerts',
    access: 'user',
    texts: ['alerts', 'alertWork', 'metricNames', 'notifications', 'site'],
    load: () => import('./alerts-page.tsx'),
  },
];
