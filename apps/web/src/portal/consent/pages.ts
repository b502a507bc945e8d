import type { PortalPageSource } from '../page-table.ts';

export const consentPages: readonly PortalPageSource[] = [
  {
    path: '/oauth/consent/:uid',
    access: 'anyone',
    isBare: true,
    texts: ['consent', 'entry'],
    load: () => import('./consent-page.tsx'),
  },
];
