import { Unprocessable } from '@heliograph/kit';
import type { OrderRecord } from './records.ts';

type States = Pick<OrderRecord, 'state' | 'paymentState'>;

/** The state of the order does not allow it: 422 with the state and what is possible from it. */
export class WrongOrderState extends Unprocessable {
  /** @param refusal of what was asked for: `it cannot be paid` */
  constructor(order: States, refusal: string) {
    super(`The order is ${nameOf(order)}: ${refusal}, but ${possibleFrom(order)}`);
  }
}

/** The state that decides what is possible. */
function nameOf({ state, paymentState }: States): string {
  return state === 'open' || (state === 'completed' && paymentState === 'refunded') ? paymentState : state;
}

function possibleFrom({ state, paymentState }: States): string {
  if (state === 'cancelled' || paymentState === 'refunded') return 'another one can be placed';
  if (state === 'completed') return 'its money can be paid back';
  return paymentState === 'unpaid' ? 'it can be paid or cancelled' : 'it can be delivered or paid back';
}

/** @throws Unprocessable */
export function requireCancellable(order: States): void {
  if (order.state !== 'open' || order.paymentState !== 'unpaid')
    throw new WrongOrderState(order, 'it cannot be cancelled');
}
