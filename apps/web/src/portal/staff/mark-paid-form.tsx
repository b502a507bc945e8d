import type { Order, PaymentMethod } from '@heliograph/contracts';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { useMoney } from '../orders/use-money.ts';
import { cloud } from '../session/cloud.ts';
import { METHOD_LABELS } from './payment-methods.ts';
import { paymentMoment, today } from './payment-moment.ts';
import { orderQuery, ordersKey } from './queries.ts';

/** Records that all that is outstanding was paid. */
export function MarkPaidForm({ order }: { readonly order: Order }) {
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
