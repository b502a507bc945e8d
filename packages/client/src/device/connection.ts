import { type Call, callJson, callText } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import { type RetryChoice, retryOf } from '../http/retry.ts';
import { baseOf, type DeviceAccess, headersOf } from './access.ts';

/** How long a device may take to answer, in milliseconds, where nothing else is said. */
const TIMEOUT_MS = 15_000;

export type DeviceCall = Omit<Call, 'timeoutMs' | 'headers' | 'retry'> &
  Partial<Pick<Call, 'timeoutMs' | 'retry'>>;

export interface DeviceClientOptions {
  /** Called when the credentials are refused; what it returns is used from then on. */
  readonly renew?: () => Promise<DeviceAccess>;
  /** Repeats requests that change nothing; false switches that off. A write is never repeated. */
  readonly retry?: RetryChoice;
}

/** Makes requests to one device, and gets new credentials when those it has are refused. */
export class DeviceConnection {
  #access: DeviceAccess;
  readonly #renew: (() => Promise<DeviceAccess>) | undefined;

  readonly #retry: Call['retry'];
  #renewing: Promise<void> | undefined;

  constructor(access: DeviceAccess, { renew, retry = {} }: DeviceClientOptions) {
    this.#access = access;
    this.#renew = renew;
    this.#retry = retryOf(retry);
  }

  get access(): DeviceAccess {
    return this.#access;
  }

  /** @throws ApiError, ConnectionError, UnexpectedAnswer */
  async json(call: DeviceCall): Promise<unknown> {
    return await this.#authorized(
      (access) => callJson(baseOf(access), this.#completed(call, access)),
      call.signal,
    );
  }

  /** As {@link json}, for an answer in plain text, or one of which only the status is of interest. */
  async text(call: DeviceCall): Promise<string> {
    return await this.#authorized(
      (access) => callText(baseOf(access), this.#completed(call, access)),
      call.signal,
    );
  }

  /** Gets new credentials, where there is a way to; once for all who ask meanwhile. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<void> {
    if (this.#renew !== undefined) this.#access = await this.#renew();
  }

  /** Runs a request; when its credentials are refused and can be renewed, once more with new ones. */
  async #authorized<T>(
    request: (access: DeviceAccess) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const used = this.#access;
    try {
      return await request(used);
    } catch (error) {
      if (this.#renew === undefined || !(error instanceof ApiError) || error.status !== 401) throw error;
      if (this.#access === used) await Promise.race([this.renew(), aborted(signal)]);
      return await request(this.#access);
    }
  }

  #completed(call: DeviceCall, access: DeviceAccess): Call {
    return { timeoutMs: TIMEOUT_MS, retry: this.#retry, ...call, headers: headersOf(access) };
  }
}

/** Resolves when the signal aborts: the request that follows then ends at once. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
