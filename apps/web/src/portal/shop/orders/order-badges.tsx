import type { BuyerOrder, OrderState, PaymentState } from '@heliograph/contracts';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';

const STATES = {
  open: { label: 'states.open', tone: 'neutral' },
  completed: { label: 'states.completed', tone: 'good' },
  cancelled: { label: 'states.cancelled', tone: 'neutral' },
} as const satisfies Record<OrderState, object>;

const PAYMENTS = {
  unpaid: { label: 'payments.unpaid', tone: 'warning' },
  paid: { label: 'payments.paid', tone: 'good' },
  partially_refunded: { label: 'payments.partially_refunded', tone: 'neutral' },
  refunded: { label: 'payments.refunded', tone: 'neutral' },
} as const satisfies Record<PaymentState, object>;

/** The state of an order and, unless it was cancelled unpaid, of its payment. */
export function OrderBadges({ state, payment_state: payment }: Pick<BuyerOrder, 'state' | 'payment_state'>) {
  const { t } = useTranslation('orders');
  return (
    <>
      <StatusBadge tone={STATES[state].tone}>{t(STATES[state].label)}</StatusBadge>{' '}
      {!(state === 'cancelled' && payment === 'unpaid') && (
        <StatusBadge tone={PAYMENTS[payment].tone}>{t(PAYMENTS[payment].label)}</StatusBadge>
      )}
    </>
  );
}
