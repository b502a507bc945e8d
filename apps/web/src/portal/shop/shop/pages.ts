import type { PortalPageSource } from '../../routing/portal-page.ts';

const common = { access: 'user', texts: ['shop'], preload: () => ({ gets: ['/portal/api/shop'] }) } as const;

const every = () => import('./every-page.ts');

export const shopPages: readonly PortalPageSource[] = [
  { path: '/shop', ...common, load: async () => ({ Page: (await every()).ShopPage }) },
  { path: '/shop/basket', ...common, load: async () => ({ Page: (await every()).BasketPage }) },
];
