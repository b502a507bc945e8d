import { ApiError } from '@heliograph/client';
import type { BuyerOrder, OrderActivationCode } from '@heliograph/contracts';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearch } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { OrderBadges } from './order-badges.tsx';
import { orderQuery, ordersQuery } from './queries.ts';
import { useMoney } from './use-money.ts';

/** How often the page looks whether a payment has come, in milliseconds. */
const PAYMENT_POLL_MS = 2_000;

/** An order of the visitor. */
export function Page() {
  const { id = '' } = useParams<'/user/orders/:id'>();
  return /^[1-9]\d{0,9}$/.test(id) ? <OrderPage id={Number(id)} /> : <NotFound />;
}

function OrderPage({ id }: { readonly id: number }) {
  const { t } = useTranslation('orders');
  const format = useFormat();
  // The payment provider sends the buyer back before it reports the payment.
  const isBack = new URLSearchParams(useSearch()).has('paid');
  const query = useQuery({
    ...orderQuery(id),
    refetchInterval: ({ state: { data } }) => isBack && data?.payable_online === true && PAYMENT_POLL_MS,
  });
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <QueryResult query={query}>
      {(order) => (
        <Stack gap="lg">
          <Anchor component={Link} href="/user/orders">
            {t('back')}
          </Anchor>
          <Stack gap="xs">
            <PageTitle text={t('number', { number: order.number })} />
            <Group gap="sm">
              <OrderBadges state={order.state} payment_state={order.payment_state} />
              <Text c="dimmed">{format.date(order.created_at)}</Text>
              {order.organization !== null && <Text c="dimmed">{order.organization.name}</Text>}
            </Group>
          </Stack>
          <BillCard order={order} />
          {hasCode(order) && <CodeCard order={order} />}
          {order.payable_online && (isBack ? <Text>{t('confirming')}</Text> : <PayButton id={id} />)}
          <Anchor component={Link} href={`/user/tickets?order_id=${id}`}>
            {t('ask')}
          </Anchor>
          {order.state === 'open' && order.payment_state === 'unpaid' && !isBack && <CancelButton id={id} />}
        </Stack>
      )}
    </QueryResult>
  );
}

/** The items of an order with their prices, and its parcels. */
export function BillCard({ order }: { readonly order: Omit<BuyerOrder, 'payments' | 'payable_online'> }) {
  const { t } = useTranslation('orders');
  const format = useFormat();
  const { currency } = order;
  const { money: moneyText, rate: rateText } = useMoney();
  const money = (amount: number) => moneyText({ amount, currency });
  const taxes = order.tax_lines.map(({ name, rate, amount }) => (
    <Row key={`${name} ${rate}`} title={`${name} ${rateText(rate)}`} facts={[money(amount)]} />
  ));
  return (
    <Card title={t('items')}>
      <Rows label={t('items')}>
        {order.items.map(({ id, name, quantity, subtotal, device_uid: uid }) => (
          <Row
            key={id}
            title={`${format.number(quantity)} × ${name}`}
            facts={[money(subtotal), uid !== null && <code key="device">{uid}</code>]}
          />
        ))}
        {order.shipping > 0 && <Row title={t('shipping')} facts={[money(order.shipping)]} />}
        {!order.prices_include_tax && taxes}
        <Row title={t('total')} facts={[<strong key="total">{money(order.total)}</strong>]} />
        {order.prices_include_tax && taxes}
        {order.refunded > 0 && <Row title={t('payments.refunded')} facts={[money(order.refunded)]} />}
        {order.shipments.map(({ carrier, tracking_number: number, tracking_url: url, shipped_at: at }) => (
          <Row
            key={at}
            title={t('parcel')}
            facts={[
              carrier,
              url === null ? (
                number
              ) : (
                <Anchor key="tracking" href={url} rel="noreferrer">
                  {number ?? url}
                </Anchor>
              ),
              format.date(at),
            ]}
          />
        ))}
      </Rows>
    </Card>
  );
}

/** Whether an activation code comes with the order. */
function hasCode({ state, payment_state: payment, items }: BuyerOrder): boolean {
  const isPaid = payment === 'paid' || payment === 'partially_refunded';
  const isWithoutDevice = items.some(({ kind, device_uid: uid }) => kind === 'licence' && uid === null);
  return state !== 'cancelled' && isPaid && isWithoutDevice;
}

function CodeCard({ order: { id } }: { readonly order: BuyerOrder }) {
  const { t } = useTranslation('orders');
  const [made, setMade] = useState<OrderActivationCode>();
  const { submit, isPending, error } = useSubmit(() => cloud.createOrderActivationCode({ id }), {
    onDone: (code) => {
      setMade(code);
      void queries.invalidateQueries(orderQuery(id));
    },
  });
  return (
    <Card title={t('code')}>
      <Stack gap="md" align="start">
        {made === undefined ? (
          <Text>{t('codeText')}</Text>
        ) : (
          <>
            <Text size="lg">
              <code>{made.code}</code>
            </Text>
            <Text>{t('codeMade', { left: made.uses_left })}</Text>
          </>
        )}
        <FormError error={error} />
        {made === undefined && (
          <Button loading={isPending} onClick={() => submit(undefined)}>
            {t('makeCode')}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

function PayButton({ id }: { readonly id: number }) {
  const { t } = useTranslation('orders');
  const { submit, isPending, error } = useSubmit(() => cloud.payOrder({ id }), {
    onDone: ({ url }) => location.assign(url),
  });
  return (
    <Stack gap="sm" align="start">
      <FormError error={error} />
      <Button loading={isPending} onClick={() => submit(undefined)}>
        {t('pay')}
      </Button>
    </Stack>
  );
}

function CancelButton({ id }: { readonly id: number }) {
  const { t } = useTranslation('orders');
  return (
    <div>
      <ConfirmedButton
        label={t('cancel')}
        title={t('cancelTitle')}
        act={() => cloud.cancelOwnOrder({ id })}
        onDone={() => {
          void queries.invalidateQueries(orderQuery(id));
          void queries.invalidateQueries(ordersQuery);
        }}
      >
        {t('cancelText')}
      </ConfirmedButton>
    </div>
  );
}
