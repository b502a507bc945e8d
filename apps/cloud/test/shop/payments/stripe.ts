import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import type { StripeConfig } from '../../../src/common/config/env.ts';
import type { Answer, TestCloud } from '../../test-cloud.ts';

export const SECRET_KEY = 'sk_test_of_the_tests_0123456789';
export const WEBHOOK_SECRET = 'whsec_of_the_tests_0123456789';

const DAY_S = 24 * 60 * 60;

/** A checkout as the stand-in has it. */
export interface StandInSession {
  readonly id: string;
  readonly amount_total: number;
  readonly currency: string;
  readonly client_reference_id: string | null;
  readonly success_url: string | null;
  status: 'open' | 'complete' | 'expired';
  readonly payment_intent: string;
  readonly url: string;
  readonly expires_at: number;
}

/** The checkouts of Stripe over HTTP, and its signed notifications. */
export class StripeStandIn implements AsyncDisposable {
  readonly url: string;
  readonly sessions = new Map<string, StandInSession>();
  /** Requests that were answered, with their key of idempotency. */
  readonly requests: { readonly path: string; readonly key: string | undefined }[] = [];
  /** Answers everything with this error while it is set. */
  failure: { readonly status: number; readonly type: string } | undefined;
  readonly #server: Server;
  readonly #byKey = new Map<string, StandInSession>();
  readonly #now: () => number;

  private constructor(server: Server, url: string, now: () => number) {
    this.#server = server;
    this.url = url;
    this.#now = now;
  }

  /** @param now the clock of the cloud, in milliseconds */
  static async start(now: () => number): Promise<StripeStandIn> {
    const server = inPieces(createServer()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const standIn = new StripeStandIn(server, `http://127.0.0.1:${port}`, now);
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const key = request.headers['idempotency-key'];
      const { status, body } = standIn.#answer(
        `${request.method} ${request.url}`,
        request.headers.authorization,
        typeof key === 'string' ? key : undefined,
        new URLSearchParams(Buffer.concat(chunks).toString()),
      );
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return standIn;
  }

  get config(): StripeConfig {
    return { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiUrl: this.url };
  }

  #answer(path: string, authorization: string | undefined, key: string | undefined, form: URLSearchParams) {
    this.requests.push({ path, key });
    const refusal = (status: number, type: string) => ({ status, body: { error: { type, message: type } } });
    if (authorization !== `Bearer ${SECRET_KEY}`) return refusal(401, 'invalid_request_error');
    if (this.failure !== undefined) return refusal(this.failure.status, this.failure.type);
    const [, id] = /^POST \/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(path) ?? [];
    if (id !== undefined) {
      const session = this.sessions.get(id);
      if (session?.status !== 'open') return refusal(400, 'invalid_request_error');
      session.status = 'expired';
      return { status: 200, body: session };
    }
    if (path !== 'POST /v1/checkout/sessions') return refusal(404, 'invalid_request_error');
    const session = (key !== undefined && this.#byKey.get(key)) || this.#create(form);
    if (key !== undefined) this.#byKey.set(key, session);
    return { status: 200, body: session };
  }

  #create(form: URLSearchParams): StandInSession {
    const id = `cs_test_${randomUUID()}`;
    const session: StandInSession = {
      id,
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id'),
      success_url: form.get('success_url'),
      status: 'open',
      payment_intent: `pi_${id}`,
      url: `https://checkout.stripe.example/${id}`,
      expires_at: Math.floor(this.#now() / 1000) + DAY_S,
    };
    this.sessions.set(id, session);
    return session;
  }

  /** A notification about a session that its buyer has paid. */
  paid(session: StandInSession, changes: object = {}, type = 'checkout.session.completed'): StripeEvent {
    session.status = 'complete';
    return this.event(type, { ...session, object: 'checkout.session', payment_status: 'paid', ...changes });
  }

  /** A notification that of a payment so much was paid back in all. */
  refunded(session: StandInSession, amount: number, metadata: object = {}): StripeEvent {
    const { payment_intent, currency } = session;
    const charge = { id: `ch_${session.id}`, object: 'charge', payment_intent, currency, metadata };
    return this.event('charge.refunded', { ...charge, amount_refunded: amount });
  }

  event(type: string, object: object): StripeEvent {
    const created = Math.floor(this.#now() / 1000);
    return { id: `evt_${randomUUID()}`, object: 'event', created, type, data: { object } };
  }

  /** Sends a notification as Stripe does. */
  notify(cloud: TestCloud, event: StripeEvent, given: Partial<SignedBy> = {}): Promise<Answer> {
    const raw = JSON.stringify(event);
    const signature = signatureOf(raw, { secret: WEBHOOK_SECRET, at: this.#now(), ...given });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return cloud.call('POST /webhooks/payments/stripe', { raw, headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly created: number;
  readonly type: string;
  readonly data: { readonly object: object };
}

interface SignedBy {
  readonly secret: string;
  readonly at: number;
}

/** The header Stripe-Signature: HMAC with SHA-256 of the time and the body. */
export function signatureOf(body: string, { secret, at }: SignedBy): string {
  const time = Math.floor(at / 1000);
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${digest}`;
}
