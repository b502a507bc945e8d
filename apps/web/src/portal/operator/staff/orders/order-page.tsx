import { ApiError } from '@heliograph/client';
import type { Address, Order, PaymentMethod } from '@heliograph/contracts';
import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { personName } from '../../../../shared/format/person-name.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { queries } from '../../../../shared/queries/query-client.ts';
import { NotFound } from '../../../frame/not-found.tsx';
import { idInPath } from '../../../routing/id-in-path.ts';
import { cloud } from '../../../session/cloud.ts';
import { OrderBadges } from '../../../shop/orders/order-badges.tsx';
import { BillCard } from '../../../shop/orders/order-page.tsx';
import { useMoney } from '../../../shop/orders/use-money.ts';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../../ui/lists/rows.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { orderQuery, ordersKey } from '../queries.ts';
import classes from '../staff.module.css';
import { useStaff } from '../staff-page.tsx';
import { paymentMoment, today } from './payment-moment.ts';

const METHOD_LABELS = {
  bank_transfer: 'orders.methods.bank_transfer',
  card: 'orders.methods.card',
  cash: 'orders.methods.cash',
  other: 'orders.methods.other',
} as const satisfies Record<PaymentMethod, string>;

/** An order for its seller. */
export function Page() {
  const id = idInPath(useParams<{ order?: string }>().order);
  return id === undefined ? <NotFound /> : <OrderPage id={id} />;
}

function OrderPage({ id }: { readonly id: number }) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const { base } = useStaff();
  const query = useQuery(orderQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <QueryResult query={query}>
      {(order) => (
        <Stack gap="lg">
          <Anchor component={Link} href={`${base}/orders`}>
            {t('back', { ns: 'orders' })}
          </Anchor>
          <Stack gap="xs">
            <PageTitle text={t('number', { ns: 'orders', number: order.number })} />
            <Group gap="sm">
              <OrderBadges state={order.state} payment_state={order.payment_state} />
              <Text c="dimmed">{format.date(order.created_at)}</Text>
              {base === '/operator' && order.organization !== null && (
                <Text c="dimmed">{order.organization.name}</Text>
              )}
            </Group>
          </Stack>
          <CustomerCard order={order} />
          <BillCard order={order} />
          <PaymentsCard order={order} />
          {order.state === 'open' && order.payment_state === 'unpaid' && (
            <Card title={t('orders.markPaid')}>
              <MarkPaidForm order={order} />
            </Card>
          )}
          <Text c="dimmed">{t('orders.readOnly')}</Text>
        </Stack>
      )}
    </QueryResult>
  );
}

function CustomerCard({ order }: { readonly order: Order }) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const { customer, items, billing_address: billing, shipping_address: shipping, note } = order;
  const done = items.filter(({ fulfilled }) => fulfilled).length;
  const facts: readonly (Fact | false)[] = [
    { name: t('orders.name'), value: personName(customer) },
    { name: t('orders.email'), value: <a href={`mailto:${customer.email}`}>{customer.email}</a> },
    {
      name: t('orders.delivered'),
      value: t('orders.deliveredOf', { done: format.number(done), all: format.number(items.length) }),
    },
    shipping !== null && { name: t('orders.shipping'), value: <AddressLines address={shipping} /> },
    billing !== null && { name: t('orders.billing'), value: <AddressLines address={billing} /> },
    note !== null && { name: t('orders.note'), value: <span className={classes.lines}>{note}</span> },
  ];
  return (
    <Card title={t('orders.customer')}>
      <Facts facts={facts.filter((fact) => fact !== false)} />
    </Card>
  );
}

function AddressLines({ address }: { readonly address: Address }) {
  const { i18n } = useTranslation();
  const countries = new Intl.DisplayNames(i18n.language, { type: 'region' });
  const place = [address.postal_code, address.city].filter((part) => part !== null).join(' ');
  const lines = [
    address.name,
    address.company,
    address.line1,
    address.line2,
    place,
    address.region,
    countries.of(address.country),
    address.phone,
    address.vat_number,
  ];
  return (
    <span className={classes.lines}>{lines.filter((line) => line !== null && line !== '').join('\n')}</span>
  );
}

function PaymentsCard({ order: { payments } }: { readonly order: Order }) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const { money } = useMoney();
  return (
    <Card title={t('orders.payments')}>
      {payments.length === 0 ? (
        <Text c="dimmed">{t('orders.noPayments')}</Text>
      ) : (
        <Rows label={t('orders.payments')}>
          {payments.map(({ id, amount, currency, refunded, method, reference, excess, ...payment }) => (
            <Row
              key={id}
              title={
                <>
                  {money({ amount, currency })}{' '}
                  {excess && <StatusBadge tone="danger">{t('orders.excess')}</StatusBadge>}
                </>
              }
              facts={[
                payment.provider ?? t(METHOD_LABELS[method]),
                reference,
                format.date(payment.paid_at),
                payment.recorded_by !== null && t('orders.recordedBy', { name: payment.recorded_by.name }),
                refunded > 0 && t('orders.refunded', { amount: money({ amount: refunded, currency }) }),
              ]}
            />
          ))}
        </Rows>
      )}
    </Card>
  );
}

/** Records that all that is outstanding was paid. */
function MarkPaidForm({ order }: { readonly order: Order }) {
  const { t } = useTranslation('staff');
  const { money } = useMoney();
  const { id, currency } = order;
  const amount = order.total - order.paid;
  const form = useApiForm({
    initialValues: { reference: '', method: 'bank_transfer' as PaymentMethod, paidAt: today() },
    // The amount that the reader saw: the order is refused when it differs by now.
    send: ({ reference, method, paidAt }) =>
      cloud.markOrderPaid({
        id,
        reference: reference.trim() === '' ? null : reference,
        method,
        amount,
        currency,
        paid_at: paymentMoment(paidAt)?.toISOString(),
      }),
    onDone: () => {
      void queries.invalidateQueries(orderQuery(id));
      void queries.invalidateQueries({ queryKey: ordersKey });
    },
  });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="30rem">
        <Text>{t('orders.outstanding', { amount: money({ amount, currency }) })}</Text>
        <TextInput
          label={t('orders.reference')}
          description={t('orders.referenceHint')}
          maxLength={255}
          {...form.getInputProps('reference')}
        />
        <NativeSelect
          label={t('orders.method')}
          data={Object.entries(METHOD_LABELS).map(([value, label]) => ({ value, label: t(label) }))}
          {...form.getInputProps('method')}
        />
        <TextInput type="date" label={t('orders.paidOn')} max={today()} {...form.getInputProps('paidAt')} />
        <FormError error={form.error} />
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('orders.markPaid')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
