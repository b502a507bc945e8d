import type { deviceOperations } from '@heliograph/contracts/operations/device';
import type { MethodAnswer, MethodFields } from '../api/methods.ts';
import { type Call, callJson, callText } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import { baseOf, type DeviceAccess, type DeviceClientOptions, headersOf } from './access.ts';

/** How long a device may take to answer, in milliseconds, where nothing else is said. */
const TIMEOUT_MS = 15_000;

type Operations = typeof deviceOperations;

/** A route with values in the place of its parameters. */
type Filled<Route extends string> = Route extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Route;

type ByRoute = { [Id in keyof Operations as Filled<Operations[Id]['route']>]: Operations[Id] };

/** A route of a device's operation: the compiler accepts none that is not in the table. */
export type DeviceRoute = keyof ByRoute;

type FieldsAt<Route> = Route extends DeviceRoute ? MethodFields<ByRoute[Route]> : never;

/** Fields of the body; or of the query of a GET, where numbers and flags become texts. */
type Fields<Route> = Route extends `GET ${string}`
  ? { readonly [Name in keyof FieldsAt<Route>]: FieldsAt<Route>[Name] | number | true }
  : FieldsAt<Route>;
type Answer<Route> = Route extends DeviceRoute ? MethodAnswer<ByRoute[Route]> : never;

type Options = Partial<Pick<Call, 'timeoutMs' | 'retry' | 'signal' | 'file'>>;

/** Makes requests to one device, and gets new credentials when those it has are refused. */
export class DeviceConnection {
  #access: DeviceAccess;
  readonly #renew: (() => Promise<DeviceAccess>) | undefined;
  readonly #retry: Call['retry'];
  #renewing: Promise<DeviceAccess> | undefined;

  constructor(access: DeviceAccess, { renew, retry = {} }: DeviceClientOptions) {
    this.#access = access;
    this.#renew = renew;
    this.#retry = retry;
  }

  get access(): DeviceAccess {
    return this.#access;
  }

  /**
   * Answers are not validated, since browsers carry no validator.
   *
   * @throws ApiError, ConnectionError, UnexpectedAnswer
   */
  json<const Route extends DeviceRoute>(
    route: Route,
    options?: Options,
    fields?: Fields<Route>,
  ): Promise<Answer<Route>> {
    return this.request(callJson, route, options, fields) as Promise<Answer<Route>>;
  }

  /** As {@link json}, for an answer in plain text, or one of which only the status is of interest. */
  text<const Route extends DeviceRoute>(
    route: Route,
    options?: Options,
    fields?: Fields<Route>,
  ): Promise<string> {
    return this.request(callText, route, options, fields);
  }

  /** Gets new credentials, where there is a way to; once for all who ask meanwhile. */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renew?.().finally(() => {
      this.#renewing = undefined;
    });
    this.#access = (await this.#renewing) ?? this.#access;
  }

  /** Makes a request; when its credentials are refused and can be renewed, once more with new ones. */
  async request<Content>(
    send: (base: string, call: Call) => Promise<Content>,
    route: string,
    options: Options = {},
    fields: unknown,
  ): Promise<Content> {
    const [method, path = ''] = route.split(' ');
    const content = method === 'GET' ? { query: fields as Call['query'] } : { body: fields };
    const call = { timeoutMs: TIMEOUT_MS, retry: this.#retry, method, path, ...content, ...options };
    const attempt = () => send(baseOf(this.#access), { ...call, headers: headersOf(this.#access) } as Call);
    const used = this.#access;
    try {
      return await attempt();
    } catch (error) {
      if (this.#renew === undefined || !(error instanceof ApiError) || error.status !== 401) throw error;
      if (this.#access === used) await Promise.race([this.renew(), aborted(options.signal)]);
      return await attempt();
    }
  }
}

/** Resolves when the signal aborts: the request that follows then ends at once. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
