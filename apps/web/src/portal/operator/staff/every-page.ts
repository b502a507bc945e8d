/** One script: each of its own would have a line in the table of pages, which every visit loads. */
export { Page as CataloguePage } from './orders/catalogue-page.tsx';
export { Page as OrderPage } from './orders/order-page.tsx';
export { Page as OrdersPage } from './orders/orders-page.tsx';
export { Page as RecoveryPage } from './tickets/recovery-page.tsx';
export { Page as TicketPage } from './tickets/ticket-page.tsx';
export { Page as TicketsPage } from './tickets/tickets-page.tsx';
