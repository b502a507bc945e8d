import type { PortalPageSource } from '../../routing/portal-page.ts';

const texts = ['account', 'orders'] as const;

export const orderPages: readonly PortalPageSource[] = [
  { path: '/user/orders', access: 'user', texts, load: () => import('./orders-page.tsx') },
  { path: '/user/orders/:id', access: 'user', texts, load: () => import('./order-page.tsx') },
];
