import type { TicketCategory } from '@heliograph/contracts';

export const CATEGORY_LABELS = {
  technical: 'categories.technical',
  billing: 'categories.billing',
  activation: 'categories.activation',
  account: 'categories.account',
  other: 'categories.other',
} as const satisfies Record<TicketCategory, string>;
