import type { PortalPageSource } from '../../routing/portal-page.ts';

const ofOrganization = {
  access: 'user',
  texts: ['organization', 'orders', 'recovery', 'staff', 'tickets'],
} as const;
const ofOperator = {
  ...ofOrganization,
  access: 'operator',
  texts: ['operator', ...ofOrganization.texts],
} as const;

const every = () => import('./every-page.ts');

const tickets = async () => ({ Page: (await every()).TicketsPage });
const ticket = async () => ({ Page: (await every()).TicketPage });
const orders = async () => ({ Page: (await every()).OrdersPage });
const order = async () => ({ Page: (await every()).OrderPage });
const recovery = async () => ({ Page: (await every()).RecoveryPage });
const catalogue = async () => ({ Page: (await every()).CataloguePage });

/** Pages of those who handle tickets and sell: people of an organization, and operators. */
export const staffPages: readonly PortalPageSource[] = [
  { path: '/organizations/:id/tickets', ...ofOrganization, load: tickets },
  { path: '/organizations/:id/tickets/:ticket', ...ofOrganization, load: ticket },
  { path: '/organizations/:id/support', ...ofOrganization, load: recovery },
  { path: '/organizations/:id/orders', ...ofOrganization, load: orders },
  { path: '/organizations/:id/orders/:order', ...ofOrganization, load: order },
  { path: '/organizations/:id/catalogue', ...ofOrganization, load: catalogue },
  { path: '/operator/tickets', ...ofOperator, load: tickets },
  { path: '/operator/tickets/:ticket', ...ofOperator, load: ticket },
  { path: '/operator/support', ...ofOperator, load: recovery },
  { path: '/operator/orders', ...ofOperator, load: orders },
  { path: '/operator/orders/:order', ...ofOperator, load: order },
  { path: '/operator/catalogue', ...ofOperator, load: catalogue },
];
