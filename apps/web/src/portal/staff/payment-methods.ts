import type { PaymentMethod } from '@heliograph/contracts';

export const METHOD_LABELS = {
  bank_transfer: 'orders.methods.bank_transfer',
  card: 'orders.methods.card',
  cash: 'orders.methods.cash',
  other: 'orders.methods.other',
} as const satisfies Record<PaymentMethod, string>;
