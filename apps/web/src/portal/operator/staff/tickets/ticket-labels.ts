import type { TicketPriority, TicketState, TicketTurn } from '@heliograph/contracts';

export const STATE_LABELS = {
  open: 'tickets.states.open',
  pending: 'tickets.states.pending',
  resolved: 'tickets.states.resolved',
  closed: 'tickets.states.closed',
} as const satisfies Record<TicketState, string>;

export const PRIORITY_LABELS = {
  low: 'tickets.priorities.low',
  normal: 'tickets.priorities.normal',
  high: 'tickets.priorities.high',
  urgent: 'tickets.priorities.urgent',
} as const satisfies Record<TicketPriority, string>;

export const TURN_LABELS = {
  support: 'tickets.turns.support',
  customer: 'tickets.turns.customer',
} as const satisfies Record<TicketTurn, string>;

/** States that a ticket in a state can get; time alone closes one. */
export const NEXT_STATES: Readonly<Record<TicketState, readonly TicketState[]>> = {
  open: ['open', 'pending', 'resolved'],
  pending: ['pending', 'open', 'resolved'],
  resolved: ['resolved', 'open'],
  closed: ['closed'],
};
