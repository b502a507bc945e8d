import type { Order } from '@heliograph/contracts';
import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { SearchField } from '../../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../../shared/components/states/empty.tsx';
import { personName } from '../../../../shared/format/person-name.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { OrderBadges } from '../../../shop/orders/order-badges.tsx';
import { useMoney } from '../../../shop/orders/use-money.ts';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../../ui/lists/rows.tsx';
import { useFilter } from '../../../ui/lists/use-filter.ts';
import { FilterSelect } from '../filter-select.tsx';
import { ordersQuery } from '../queries.ts';
import { searchOf } from '../search-of.ts';
import { StaffPage, useStaff } from '../staff-page.tsx';

/** The orders of an organization; of the operators, those of all sellers. */
export function Page() {
  const { t } = useTranslation('staff');
  return (
    <StaffPage part={t('orders.title')} forManagers>
      <OrdersCard />
    </StaffPage>
  );
}

function OrdersCard() {
  const { t } = useTranslation('staff');
  const { t: tOrders } = useTranslation('orders');
  const { organizationId, base } = useStaff();
  const { values, set } = useFilter('q', 'state', 'payment_state', 'organization_id');
  const { q, ...keys } = values;
  const orders = useInfiniteQuery({
    ...ordersQuery(organizationId, searchOf(q, keys)),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('orders.title')}>
      <Group gap="sm">
        <SearchField label={t('orders.search')} value={q} onChange={(text) => set('q', text)} />
        <FilterSelect
          label={t('tickets.state')}
          all={t('tickets.anyState')}
          value={keys.state}
          choices={{
            open: tOrders('states.open'),
            completed: tOrders('states.completed'),
            cancelled: tOrders('states.cancelled'),
          }}
          onChange={(value) => set('state', value)}
        />
        <FilterSelect
          label={t('orders.payment')}
          all={t('orders.anyPayment')}
          value={keys.payment_state}
          choices={{
            unpaid: tOrders('payments.unpaid'),
            paid: tOrders('payments.paid'),
            partially_refunded: tOrders('payments.partially_refunded'),
            refunded: tOrders('payments.refunded'),
          }}
          onChange={(value) => set('payment_state', value)}
        />
        {organizationId === null && (
          <FilterSelect
            label={t('orders.seller')}
            all={t('orders.anySeller')}
            value={keys.organization_id}
            choices={{ none: t('orders.ownShop') }}
            onChange={(value) => set('organization_id', value)}
          />
        )}
      </Group>
      <QueryResult query={orders}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('orders.none')} />
          ) : (
            <Rows label={t('orders.title')}>
              {list.map((order) => (
                <OrderRow key={order.id} base={base} order={order} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={orders} />
    </Card>
  );
}

interface OrderRowProps {
  readonly base: string;
  readonly order: Order;
}

function OrderRow({ base, order }: OrderRowProps) {
  const { t } = useTranslation('orders');
  const format = useFormat();
  const { money } = useMoney();
  const { id, number, customer, items, total, currency, organization } = order;
  return (
    <Row
      title={
        <Anchor component={Link} href={`${base}/orders/${id}`}>
          {t('number', { number })}
        </Anchor>
      }
      facts={[
        <OrderBadges key="state" state={order.state} payment_state={order.payment_state} />,
        personName(customer),
        items.map(({ name }) => name).join(', '),
        money({ amount: total, currency }),
        format.date(order.created_at),
        base === '/operator' && organization?.name,
      ]}
    />
  );
}
