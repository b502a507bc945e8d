/** One script: each of its own would have a line in the table of pages, which every visit loads. */
export { Page as CataloguePage } from './catalogue-page.tsx';
export { Page as OrderPage } from './order-page.tsx';
export { Page as OrdersPage } from './orders-page.tsx';
export { Page as RecoveryPage } from './recovery-page.tsx';
export { Page as TicketPage } from './ticket-page.tsx';
export { Page as TicketsPage } from './tickets-page.tsx';
