import type { PortalPageSource } from '../../routing/portal-page.ts';

const common = { access: 'operator', texts: ['operator', 'organization'] } as const;

export const operatorPages: readonly PortalPageSource[] = [
  { path: '/operator', ...common, load: () => import('./devices-page.tsx') },
  { path: '/operator/activation', ...common, load: () => import('./activation-page.tsx') },
  { path: '/operator/proxies', ...common, load: () => import('./proxies-page.tsx') },
  {
    path: '/operator/organizations',
    ...common,
    load: () => import('./organizations-page.tsx'),
  },
  { path: '/operator/users', ...common, load: () => import('./users-page.tsx') },
  {
    path: '/operator/audit',
    ...common,
    texts: ['operator', 'organization', 'account', 'audit', 'staff', 'tickets'],
    load: () => import('./audit-page.tsx'),
  },
];
