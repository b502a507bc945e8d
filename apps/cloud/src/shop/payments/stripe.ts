import type { Money } from '@heliograph/contracts';
import { BadRequest, type Clock, type Logger, messageOf, Unprocessable } from '@heliograph/kit';
import type Stripe from 'stripe';
import type { StripeConfig } from '../../common/config/env.ts';
import { Unavailable } from '../../common/errors.ts';
import type { Checkout, PayableOrder, PaymentEvent, PaymentProvider } from './provider.ts';
import { fromStripe, toStripe } from './stripe-amounts.ts';

/** Age at which a signature is refused, in seconds. */
const TOLERANCE_S = 300;

const TIMEOUT_MS = 8_000;
const RETRY_S = 30;

/** Names an order in the metadata of its payments. */
const ORDER_KEY = 'heliograph_order';

export interface StripeOptions {
  readonly config: StripeConfig;
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Payments on pages of Stripe; card data never come here. */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';
  readonly #options: StripeOptions;
  readonly #stripe: Stripe;

  private constructor(options: StripeOptions, stripe: Stripe) {
    this.#options = options;
    this.#stripe = stripe;
  }

  /** Loads the library, which a service without Stripe does not need: it takes 20 MB of memory. */
  static async start(options: StripeOptions): Promise<StripeProvider> {
    const { default: Library } = await import('stripe');
    const { secretKey, apiUrl } = options.config;
    const { protocol, hostname, port } = new URL(apiUrl);
    const stripe = new Library(secretKey, {
      host: hostname,
      protocol: protocol === 'http:' ? 'http' : 'https',
      ...(port !== '' && { port: Number(port) }),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 1,
      telemetry: false,
    });
    return new StripeProvider(options, stripe);
  }

  takes(money: Money): boolean {
    return toStripe(money) !== undefined;
  }

  async begin({ id, number, createdAt, email, due, attempt }: PayableOrder): Promise<Checkout> {
    const amount = toStripe(due);
    if (amount === undefined) throw notPayable();
    const page = `${this.#options.cloudUrl()}/user/orders/${id}`;
    const metadata = { [ORDER_KEY]: String(id) };
    const session = await this.#call(() =>
      this.#stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: String(id),
          customer_email: email,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: due.currency.toLowerCase(),
                unit_amount: amount,
                product_data: { name: `Order ${number}` },
              },
            },
          ],
          metadata,
          payment_intent_data: { metadata, description: `Order ${number}` },
          success_url: `${page}?paid=stripe`,
          cancel_url: page,
        },
        // The date distinguishes orders of another database with the same ids.
        { idempotencyKey: `order-${id}-${createdAt.getTime()}-${attempt}` },
      ),
    );
    if (session.url === null) throw notPayable();
    return { id: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
  }

  async end(checkoutId: string): Promise<void> {
    try {
      await this.#call(() => this.#stripe.checkout.sessions.expire(checkoutId));
    } catch (error) {
      // One that is paid or has expired cannot end, and its notification comes.
      if (!(error instanceof Unprocessable)) throw error;
    }
  }

  read(body: Buffer, signature: string): PaymentEvent {
    const { webhookSecret } = this.#options.config;
    const now = this.#options.clock.now();
    let event: Stripe.Event;
    try {
      event = this.#stripe.webhooks.constructEvent(
        body,
        signature,
        webhookSecret,
        TOLERANCE_S,
        undefined,
        now,
      );
    } catch {
      throw new BadRequest('Stripe-Signature does not prove that Stripe sent this within the last 5 minutes');
    }
    if (typeof event.id !== 'string' || typeof event.data?.object !== 'object')
      throw new BadRequest('The body is no event of Stripe');
    return eventOf(event);
  }

  /** @throws Unprocessable for what Stripe refuses; Unavailable */
  async #call<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      const { type = 'unknown', code } = error as { readonly type?: string; readonly code?: string };
      this.#options.logger.warn(
        { type, code, reason: messageOf(error) },
        'Stripe refused, or did not answer',
      );
      if (type === 'StripeInvalidRequestError') throw notPayable();
      throw new Unavailable('Paying online does not work now: try again in a moment', RETRY_S);
    }
  }
}

function notPayable(): Unprocessable {
  return new Unprocessable('The payment provider does not take this order: pay it another way');
}

function eventOf(event: Stripe.Event): PaymentEvent {
  const { id } = event;
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object;
      // Some ways of paying take days, and succeed or fail later.
      if (session.payment_status !== 'paid') return { id, kind: 'other' };
      return {
        id,
        kind: 'paid',
        checkoutId: session.id,
        reference: idOf(session.payment_intent) ?? session.id,
        money: fromStripe(session.amount_total, session.currency),
        paidAt: new Date(event.created * 1000),
      };
    }
    case 'checkout.session.expired':
      return { id, kind: 'expired', checkoutId: event.data.object.id };
    case 'charge.refunded': {
      const charge = event.data.object;
      return {
        id,
        kind: 'refunded',
        reference: idOf(charge.payment_intent) ?? charge.id,
        isOurs: charge.metadata?.[ORDER_KEY] !== undefined,
        refunded: fromStripe(charge.amount_refunded, charge.currency),
      };
    }
    default:
      return { id, kind: 'other' };
  }
}

function idOf(part: string | { readonly id: string } | null): string | undefined {
  return typeof part === 'string' ? part : part?.id;
}
