import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';
import { portal } from '../../session/portal.ts';
import { pagedQuery } from '../../ui/lists/paged.ts';

export const shopQuery = queryOptions({ queryKey: ['shop'], queryFn: () => portal.getShop() });

/** Products for sale in a currency. @param seller null for the operator's own shop */
export const offersQuery = (seller: number | null, currency: string, searched: string) =>
  pagedQuery(['shop', 'offers', seller, currency, searched], (page) =>
    cloud.listProducts({
      q: `organization_id:${seller ?? 'none'} state:active currency:${currency} ${searched}`.trim(),
      ...page,
    }),
  );

export const productQuery = (id: number) =>
  queryOptions({ queryKey: ['shop', 'product', id], queryFn: () => cloud.getProduct({ id }) });
