import type { PortalPageSource } from '../routing/portal-page.ts';

export const consentPages: readonly PortalPageSource[] = [
  {
    path: '/oauth/consent/:uid',
    access: 'anyone',
    isBare: true,
    texts: ['consent', 'entry'],
    load: () => import('./consent-page.tsx'),
  },
];
