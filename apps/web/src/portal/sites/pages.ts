import type { PortalPageSource } from '../pages.ts';

/** Before those of one site, whose pattern takes every path below `/sites`. */
export const sitesPages: readonly PortalPageSource[] = [
  { path: '/sites', access: 'user', texts: ['sites'], load: () => import('./sites-page.tsx') },
  { path: '/sites/add', access: 'user', texts: ['sites'], load: () => import('./add-site-page.tsx') },
  { path: '/sites/local', access: 'user', texts: ['sites'], load: () => import('./nearby-page.tsx') },
  { path: '/sites/offline', access: 'user', texts: ['sites'], load: () => import('./away-page.tsx') },
];
