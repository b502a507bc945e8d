import type { TicketState, TicketTurn } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';

/** The changes of those who handle a ticket. Time alone closes a resolved one. */
const NEXT_STATES: Readonly<Record<TicketState, readonly TicketState[]>> = {
  open: ['pending', 'resolved'],
  pending: ['open', 'resolved'],
  resolved: ['open'],
  closed: [],
};

/** The ticket's state does not allow it: 422 with the states that are possible. */
export class WrongState extends Unprocessable {
  constructor(state: TicketState) {
    const next = NEXT_STATES[state];
    super(
      next.length === 0
        ? `The ticket is ${state}: only its requester can go on, with a reply that opens another one`
        : `The ticket is ${state}: it can become ${next.join(' or ')}`,
    );
  }
}

/** @throws WrongState */
export function requireTransition(from: TicketState, to: TicketState): void {
  if (from !== to && !NEXT_STATES[from].includes(to)) throw new WrongState(from);
}

/** The columns that follow a ticket's conversation. */
export interface Progress {
  readonly state: TicketState;
  /** Of the last public message. */
  readonly last_side: TicketTurn;
  /** Since when the other side has been awaited; null when resolved or closed. */
  readonly waiting_since: Date | null;
  readonly resolved_at: Date | null;
}

/** @param speaker the side of a new public message; null without one */
export function progressOf(
  before: Progress,
  state: TicketState,
  speaker: TicketTurn | null,
  at: Date,
): Progress {
  const lastSide = speaker ?? before.last_side;
  const isWaiting = state === 'open' || state === 'pending';
  const isSameTurn = before.waiting_since !== null && lastSide === before.last_side;
  return {
    state,
    last_side: lastSide,
    waiting_since: isWaiting ? (isSameTurn ? before.waiting_since : at) : null,
    resolved_at: isWaiting ? null : (before.resolved_at ?? at),
  };
}

/** The state after a public reply of support that names none. */
export function stateAfterReply(state: TicketState): TicketState {
  return state === 'open' ? 'pending' : state;
}
