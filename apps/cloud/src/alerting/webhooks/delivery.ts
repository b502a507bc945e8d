import type { ServiceEvent, WebhookFailure } from '@heliograph/contracts';
import { type Clock, projectVersion } from '@heliograph/kit';
import {
  FetchRefused,
  type GuardedConnection,
  type GuardedFetch,
} from '../../common/outbound/guarded-fetch.ts';
import type { Attempt, WebhookRow } from './records.ts';
import type { WebhookSecrets } from './secrets.ts';

/** An event, or a test. */
export type WebhookMessage = Pick<ServiceEvent, 'id' | 'type' | 'at'> & Readonly<Record<string, unknown>>;

export interface DeliveryOptions {
  readonly fetch: GuardedFetch;
  readonly secrets: WebhookSecrets;
  readonly clock: Clock;
}

/** Posts messages to the address of one webhook, over one connection. */
export class Delivery {
  readonly #row: WebhookRow;
  readonly #options: DeliveryOptions;
  #connection: GuardedConnection | undefined;

  constructor(row: WebhookRow, options: DeliveryOptions) {
    this.#row = row;
    this.#options = options;
  }

  /** Never throws: what went wrong is in the attempt. */
  async post(message: WebhookMessage): Promise<Attempt> {
    const { clock, fetch } = this.#options;
    const at = new Date(clock.now());
    const startMs = performance.now();
    const attempt = (status: number | null, failed?: Failed): Attempt => ({
      at,
      eventId: message.id,
      eventType: message.type,
      status,
      failure: failed?.failure ?? null,
      error: failed?.error ?? null,
      durationMs: Math.round(performance.now() - startMs),
    });
    const body = JSON.stringify({ ...message, timestamp: message.at });
    const headers = this.#headers(message.id, at, body);
    if (headers === undefined) {
      return attempt(null, { failure: 'secret', error: 'its signing secret cannot be read: make a new one' });
    }
    try {
      this.#connection ??= await fetch.connect(this.#row.url);
      const status = await this.#connection.post(headers, body);
      return isSuccess(status)
        ? attempt(status)
        : attempt(status, { failure: 'refused', error: `the receiver answered ${status}` });
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      return attempt(null, failedOf(error));
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** Undefined where no secret can be read to sign with. */
  #headers(id: string, at: Date, body: string): Record<string, string> | undefined {
    const { sealed_secret: sealed, sealed_former_secret: former, former_secret_until: until } = this.#row;
    const timestamp = Math.floor(at.getTime() / 1000);
    const valid = former !== null && until !== null && until > at ? [sealed, former] : [sealed];
    const signature = this.#options.secrets.signature(valid, id, timestamp, body);
    if (signature === undefined) return undefined;
    return {
      'content-type': 'application/json',
      'user-agent': `Heliograph/${projectVersion()}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
  }
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

interface Failed {
  readonly failure: WebhookFailure;
  readonly error: string;
}

/** Errors of TLS about the receiver's certificate. Source: https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const CERTIFICATE_ERROR = /CERT|^UNABLE_TO_|_CHAIN$|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$/;

/** Without the addresses that a name has, which only the operator may know. */
function failedOf({ cause }: FetchRefused): Failed {
  if (cause === undefined)
    return { failure: 'not_public', error: 'its host has no address on the public internet' };
  const { name, code } = cause as Error & { readonly code?: string };
  if (name === 'TimeoutError' || name === 'AbortError')
    return { failure: 'timeout', error: 'the receiver took longer than 10 s' };
  if (code === undefined) return { failure: 'connection', error: 'the connection failed' };
  return {
    failure: CERTIFICATE_ERROR.test(code) ? 'certificate' : 'connection',
    error: `the connection failed: ${code}`,
  };
}
