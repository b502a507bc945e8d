import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged.ts';
import { cloud } from '../session/cloud.ts';

export const ordersQuery = pagedQuery(['orders'], (page) => cloud.listOwnOrders(page));

export const orderQuery = (id: number) =>
  queryOptions({ queryKey: ['order', id], queryFn: () => cloud.getOwnOrder({ id }) });
