import { Anchor, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { AccountPage } from '../../frame/account-page.tsx';
import { usePortalSession } from '../../session/session.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { OrderBadges } from './order-badges.tsx';
import { ordersQuery } from './queries.ts';
import { useMoney } from './use-money.ts';

/** The visitor's orders. */
export function Page() {
  const { t } = useTranslation('orders');
  const { has_shop: hasShop } = usePortalSession();
  return (
    <AccountPage part={t('title')}>
      <Card
        title={t('list')}
        action={
          hasShop && (
            <Button component={Link} href="/shop">
              {t('shop')}
            </Button>
          )
        }
      >
        <OrderList />
      </Card>
    </AccountPage>
  );
}

function OrderList() {
  const { t } = useTranslation('orders');
  const format = useFormat();
  const { money } = useMoney();
  const orders = useInfiniteQuery(ordersQuery);
  return (
    <QueryResult query={orders}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={t('none')}>{t('noneText')}</Empty>
        ) : (
          <>
            <Rows label={t('list')}>
              {list.map((order) => (
                <Row
                  key={order.id}
                  title={
                    <Anchor component={Link} href={`/user/orders/${order.id}`}>
                      {t('number', { number: order.number })}
                    </Anchor>
                  }
                  facts={[
                    <OrderBadges key="state" state={order.state} payment_state={order.payment_state} />,
                    order.items.map(({ name }) => name).join(', '),
                    money({ amount: order.total, currency: order.currency }),
                    format.date(order.created_at),
                  ]}
                />
              ))}
            </Rows>
            <MoreButton list={orders} />
          </>
        )
      }
    </QueryResult>
  );
}
