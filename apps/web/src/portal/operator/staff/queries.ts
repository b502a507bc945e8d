import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';
import { pagedQuery } from '../../ui/lists/paged.ts';

/** An open conversation shows new messages without a reload. */
const REFRESH_MS = 30_000;

const within = (organizationId: number | null) =>
  organizationId === null ? {} : { organization_id: organizationId };

export const ticketsKey = ['staff', 'tickets'] as const;

export const ticketsQuery = (organizationId: number | null, q: string) =>
  pagedQuery([...ticketsKey, organizationId, q], (page) =>
    cloud.listTickets({ ...within(organizationId), q, ...page }),
  );

export const ticketQuery = (id: number) =>
  queryOptions({
    queryKey: ['staff', 'ticket', id],
    queryFn: () => cloud.getTicket({ id }),
    refetchInterval: REFRESH_MS,
  });

/** Support recovery sessions of an organization; for operators, of all parties. A request that is answered appears without a reload. */
export const recoverySessionsQuery = (organizationId: number | null, q: string) => ({
  ...pagedQuery(['staff', 'recovery', organizationId, q], (page) =>
    cloud.listRecoverySessions({
      q: organizationId === null ? q : `organization_id:${organizationId} ${q}`,
      ...page,
    }),
  ),
  refetchInterval: REFRESH_MS,
});

/** Support recovery sessions about a ticket that let the reader in: as many as one page of the list has. */
export const ticketSessionsQuery = (id: number) =>
  queryOptions({
    queryKey: ['staff', 'ticket', id, 'recovery'],
    queryFn: () => cloud.listRecoverySessions({ q: `ticket_id:${id}`, limit: 200 }),
    refetchInterval: REFRESH_MS,
  });

/** Those who can be made the assignee of a ticket: as many as one page of the list has. */
export const assigneesQuery = (ticketId: number) =>
  queryOptions({
    queryKey: ['staff', 'ticket', ticketId, 'assignees'],
    queryFn: () => cloud.listTicketHandlers({ id: ticketId, limit: 200 }),
  });

/** Organizations that an operator can hand a ticket to. */
export const handlersQuery = queryOptions({
  queryKey: ['staff', 'handlers'],
  queryFn: () => cloud.listOrganizations({ limit: 200 }),
});

export const ordersKey = ['staff', 'orders'] as const;

export const ordersQuery = (organizationId: number | null, q: string) =>
  pagedQuery([...ordersKey, organizationId, q], (page) =>
    cloud.listOrders({ ...within(organizationId), q, ...page }),
  );

export const orderQuery = (id: number) =>
  queryOptions({ queryKey: ['staff', 'order', id], queryFn: () => cloud.getOrder({ id }) });

export const productsKey = ['staff', 'products'] as const;

export const productsQuery = (organizationId: number | null, q: string) =>
  pagedQuery([...productsKey, organizationId, q], (page) =>
    cloud.listProducts({ q: `organization_id:${organizationId ?? 'none'} ${q}`, ...page }),
  );
