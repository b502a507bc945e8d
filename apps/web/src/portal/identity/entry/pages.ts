import type { PortalPageSource } from '../../routing/portal-page.ts';

const ENTRY = { access: 'anyone', isBare: true, texts: ['entry'] } as const;

export const entryPages: readonly PortalPageSource[] = [
  { path: '/', ...ENTRY, load: () => import('./welcome/welcome-page.tsx') },
  { path: '/sign_in', ...ENTRY, load: () => import('./sign-in-page.tsx') },
  { path: '/register', ...ENTRY, load: () => import('./register-page.tsx') },
  { path: '/password', ...ENTRY, load: () => import('./forgot-page.tsx') },
  { path: '/unsubscribe', ...ENTRY, load: () => import('./unsubscribe-page.tsx') },
];
