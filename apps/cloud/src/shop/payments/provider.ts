import type { Money } from '@heliograph/contracts';

/** An order that its buyer is about to pay. */
export interface PayableOrder {
  readonly id: number;
  readonly number: string;
  readonly createdAt: Date;
  readonly email: string;
  readonly due: Money;
  /** How often the buyer was sent to the provider before: another attempt is another checkout. */
  readonly attempt: number;
}

/** A page of a provider on which an order is paid. */
export interface Checkout {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** A report of a provider whose signature was proved. `id` is the same for each repetition. */
export type PaymentEvent = { readonly id: string } & (
  | {
      readonly kind: 'paid';
      readonly checkoutId: string;
      /** The payment in the provider's books. */
      readonly reference: string;
      /** Undefined for an amount that the provider cannot have asked for. */
      readonly money: Money | undefined;
      readonly paidAt: Date;
    }
  | {
      readonly kind: 'refunded';
      readonly reference: string;
      /** Whether the payment is one for an order of this service. */
      readonly isOurs: boolean;
      /** All that was paid back of the payment so far. */
      readonly refunded: Money | undefined;
    }
  | { readonly kind: 'expired'; readonly checkoutId: string }
  | { readonly kind: 'other' }
);

/** A company that takes payments. */
export interface PaymentProvider {
  readonly name: string;
  /** Whether it takes an amount: some currencies are not taken, or in other units. */
  takes(money: Money): boolean;
  /**
   * Makes the page on which an order is paid; the same one for the same attempt.
   *
   * @throws Unprocessable when the provider refuses the order; Unavailable
   */
  begin(order: PayableOrder): Promise<Checkout>;
  /** Makes sure that nothing is paid on the page any more; nothing happens to one that is paid. @throws Unavailable */
  end(checkoutId: string): Promise<void>;
  /**
   * Reads a notification.
   *
   * @param signature the header that proves where it comes from
   * @throws BadRequest unless the provider signed it, within the last minutes
   */
  read(body: Buffer, signature: string): PaymentEvent;
}
