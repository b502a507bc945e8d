import type { OrderRecord } from './records.ts';

/** Payments through a provider, as far as orders need them. */
export interface OnlinePayments {
  /** Whether the buyer can pay an order online now. */
  takes(order: OrderRecord): boolean;
  /** Ends what an order could still be paid with. Never fails: money that comes late is kept as excess. */
  close(orderId: number): Promise<void>;
}
