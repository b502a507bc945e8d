import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';
import { pagedQuery } from '../../ui/lists/paged.ts';

export const ordersQuery = pagedQuery(['orders'], (page) => cloud.listOwnOrders(page));

export const orderQuery = (id: number) =>
  queryOptions({ queryKey: ['order', id], queryFn: () => cloud.getOwnOrder({ id }) });
