import type { PortalPageSource } from '../routing/portal-page.ts';

const texts = ['account', 'recovery', 'tickets'] as const;

export const supportPages: readonly PortalPageSource[] = [
  { path: '/user/tickets', access: 'user', texts, load: () => import('./tickets-page.tsx') },
  { path: '/user/tickets/:id', access: 'user', texts, load: () => import('./ticket-page.tsx') },
];
