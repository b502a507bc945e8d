import type { ProxyLimits } from '../config/limits.ts';
import { hasBody } from '../http/body.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { recordForwarded } from '../http/outcome.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { AnswerListener, Exchange, Loss, RequestHead, Upstream } from '../links/upstream.ts';
import {
  audienceOf,
  clientResponseHeaders,
  type ForwardContext,
  type ResponseAudience,
  requestHead,
} from './headers.ts';
import {
  bodyTooLong,
  CONNECTION_LOST,
  DEVICE_TIMEOUT,
  INVALID_RESPONSE,
  refusalOfSendError,
} from './refusals.ts';
import { RequestBody } from './request-body.ts';

export interface RequestOptions extends ForwardContext {
  readonly limits: Pick<ProxyLimits, 'answerMs' | 'totalMs' | 'bodyBytes'>;
  /** Finds who takes the request after the upstream before refused it unread, as a device does that moves away. */
  readonly nextUpstream: () => Promise<Upstream | Refusal>;
}

/** A request on its way to a device. */
export interface ForwardedRequest {
  /** Takes it back from the device and answers the refusal; an answer that has begun is cut. */
  end(refusal: Refusal): void;
}

/** Passes one request on and the answer back; either end going away cancels the other. */
export function forwardRequest(
  req: ClientRequest,
  res: ClientResponse,
  upstream: Upstream,
  options: RequestOptions,
): ForwardedRequest | undefined {
  try {
    const forwarding = new Forwarding(req, res, options);
    forwarding.start(upstream);
    return forwarding;
  } catch (error) {
    refuse(req, res, refusalOfSendError(error));
    return undefined;
  }
}

/**
 * The progress of a request: `waiting` for its answer; `looking` for another upstream, since one refused it unread;
 * `answering` its client; `ended`.
 */
type State = 'waiting' | 'looking' | 'answering' | 'ended';

class Forwarding implements ForwardedRequest, AnswerListener {
  readonly #req: ClientRequest;
  readonly #res: ClientResponse;
  readonly #options: RequestOptions;
  readonly #head: RequestHead;
  readonly #audience: ResponseAudience;
  #state: State = 'waiting';
  #body: RequestBody | undefined;
  #exchange: Exchange | undefined;
  #deadline: NodeJS.Timeout | undefined;

  /** @throws when the request's `host` is not one */
  constructor(req: ClientRequest, res: ClientResponse, options: RequestOptions) {
    this.#req = req;
    this.#res = res;
    this.#options = options;
    this.#head = requestHead(req, options);
    this.#audience = audienceOf(req, res, options.clientAddress);
  }

  /** @throws as {@link Upstream.send} */
  start(upstream: Upstream): void {
    const { limits } = this.#options;
    if (hasBody(this.#req)) {
      this.#body = new RequestBody(this.#req, this.#res, {
        maxBytes: limits.bodyBytes,
        onProgress: () => this.#deadline?.refresh(),
        onTooLong: () => this.end(bodyTooLong(limits.bodyBytes)),
      });
    }
    try {
      this.#send(upstream);
    } catch (error) {
      this.#finish();
      throw error;
    }
    this.#res.on('close', () => this.#finish());
    this.#deadline = setTimeout(() => this.end(DEVICE_TIMEOUT), limits.answerMs);
  }

  end(refusal: Refusal): void {
    if (this.#state === 'ended') return;
    this.#finish();
    refuse(this.#req, this.#res, refusal);
  }

  onHead(status: number, headers: readonly string[], length: number | undefined): void {
    if (this.#state !== 'waiting') return;
    if (!this.#passHead(status, headers)) {
      this.end(INVALID_RESPONSE);
      return;
    }
    this.#state = 'answering';
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.end(DEVICE_TIMEOUT), this.#options.limits.totalMs);
    // Without a length the body may be a stream whose first bytes come late: the client gets the head at once.
    if (length === undefined) this.#res.flushHeaders?.();
  }

  onData(chunk: Buffer, isLast: boolean): void {
    if (this.#state !== 'answering') return;
    if (isLast) this.#res.end(chunk);
    else if (!this.#res.write(chunk)) {
      this.#exchange?.pause();
      this.#res.once('drain', () => this.#exchange?.resume());
    }
  }

  onEnd(): void {
    if (this.#state === 'answering' && !this.#res.writableEnded) this.#res.end();
  }

  onLost(loss: Loss): void {
    if (this.#state === 'ended' || this.#res.writableEnded) return;
    const mayRepeat = loss === 'unread' && this.#state === 'waiting' && this.#body?.isRepeatable !== false;
    if (mayRepeat) void this.#repeat();
    else this.end(loss === 'invalid' ? INVALID_RESPONSE : CONNECTION_LOST);
  }

  #finish(): void {
    this.#state = 'ended';
    clearTimeout(this.#deadline);
    this.#exchange?.cancel();
    this.#body?.drop();
  }

  #send(upstream: Upstream): void {
    this.#exchange = upstream.send(this.#head, this.#body?.begin(), this);
  }

  async #repeat(): Promise<void> {
    this.#state = 'looking';
    try {
      const next = await this.#options.nextUpstream();
      if (!this.#isLooking()) return;
      if ('error' in next) this.end(next);
      // More of the body may have come meanwhile than is kept: the rest must not be taken for the whole.
      else if (this.#body?.isRepeatable === false) this.end(CONNECTION_LOST);
      else {
        this.#state = 'waiting';
        this.#send(next);
      }
    } catch {
      this.end(CONNECTION_LOST);
    }
  }

  #isLooking(): boolean {
    return this.#state === 'looking';
  }

  #passHead(status: number, headers: readonly string[]): boolean {
    if (status < 200 || status > 599) return false;
    try {
      this.#res.writeHead(status, clientResponseHeaders(headers, status, this.#audience));
      recordForwarded(this.#req);
      return true;
    } catch {
      return false;
    }
  }
}
