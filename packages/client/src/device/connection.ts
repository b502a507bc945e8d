import { type Call, callJson, callText } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import { baseOf, type DeviceAccess, headersOf } from './access.ts';

/** How long a device may take to answer, in milliseconds, where nothing else is said. */
const TIMEOUT_MS = 15_000;

export type DeviceCall = Omit<Call, 'timeoutMs' | 'headers'> & { readonly timeoutMs?: number };

/** Gives up a request when it aborts. */
export interface Abortable {
  readonly signal?: AbortSignal;
}

/** Makes requests to one device, and gets new credentials when those it has are refused. */
export class DeviceConnection {
  #access: DeviceAccess;
  readonly #renew: (() => Promise<DeviceAccess>) | undefined;

  constructor(access: DeviceAccess, renew?: () => Promise<DeviceAccess>) {
    this.#access = access;
    this.#renew = renew;
  }

  get access(): DeviceAccess {
    return this.#access;
  }

  /** @throws ApiError, ConnectionError, UnexpectedAnswer */
  async json(call: DeviceCall): Promise<unknown> {
    return await this.#authorized((access) => callJson(baseOf(access), completed(call, access)));
  }

  /** As {@link json}, for an answer in plain text, or one of which only the status is of interest. */
  async text(call: DeviceCall): Promise<string> {
    return await this.#authorized((access) => callText(baseOf(access), completed(call, access)));
  }

  /** Gets new credentials, where there is a way to. */
  async renew(): Promise<void> {
    if (this.#renew !== undefined) this.#access = await this.#renew();
  }

  /** Runs a request; when its credentials are refused and can be renewed, once more with new ones. */
  async #authorized<T>(request: (access: DeviceAccess) => Promise<T>): Promise<T> {
    const used = this.#access;
    try {
      return await request(used);
    } catch (error) {
      if (this.#renew === undefined || !(error instanceof ApiError) || error.status !== 401) throw error;
      if (this.#access === used) this.#access = await this.#renew();
      return await request(this.#access);
    }
  }
}

function completed({ timeoutMs = TIMEOUT_MS, ...call }: DeviceCall, access: DeviceAccess): Call {
  return { ...call, timeoutMs, headers: headersOf(access) };
}
