import { errorMessage, isRecord } from './error-message.ts';
import { ApiError, ConnectionError, UnexpectedAnswer } from './errors.ts';
import { type Query, queryString } from './query.ts';
import type { RetryChoice } from './retry.ts';

/** One HTTP request. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path below the base. */
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body, with its own media type. */
  readonly file?: Blob;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Of requests that change nothing; false for a single attempt. */
  readonly retry: RetryChoice;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** The part of `fetch` that is called. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Makes a request and reads the JSON it is answered with.
 *
 * @param base scheme, host and optionally a path, without a trailing slash
 * @throws ApiError, ConnectionError, UnexpectedAnswer
 */
export async function callJson(base: string, call: Call): Promise<unknown> {
  const text = await callText(base, call);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswer(base, 'JSON');
  }
}

/** As {@link callJson}, for an answer in plain text. */
export function callText(base: string, call: Call): Promise<string> {
  return exchange(base, call, (response) => response.text());
}

/** As {@link callJson}, for an answer of any media type. */
export function callBytes(base: string, call: Call): Promise<Blob> {
  return exchange(base, call, (response) => response.blob());
}

/** Only a GET is repeated: a write that was not answered may have been carried out. */
export async function exchange<Content>(
  base: string,
  call: Call,
  read: (response: Response) => Promise<Content>,
): Promise<Content> {
  const { method = 'GET', retry, signal } = call;
  const attempt = () => exchangeOnce(base, call, read);
  if (retry === false || method !== 'GET') return await attempt();
  // Pages switch retries off, and do not load them.
  const { withRetries } = await import('./retry.ts');
  return await withRetries(attempt, retry, signal);
}

async function exchangeOnce<Content>(
  base: string,
  call: Call,
  read: (response: Response) => Promise<Content>,
): Promise<Content> {
  const {
    method = 'GET',
    path,
    query = {},
    headers = {},
    body,
    file,
    timeoutMs,
    signal,
    fetch: send = fetch,
  } = call;
  const either = eitherSignal(AbortSignal.timeout(timeoutMs), signal);
  const url = `${base}${path}${queryString(query)}`;
  const init: RequestInit = {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: file ?? (body === undefined ? null : JSON.stringify(body)),
    signal: either.signal,
  };
  // A connection fails within these alone: any other exception is a defect of the program, or a function that it lacks.
  const connected = async <Result>(step: Promise<Result>): Promise<Result> => {
    try {
      return await step;
    } catch (error) {
      throw new ConnectionError(base, await connectionErrorMessage(error, timeoutMs), error);
    }
  };
  try {
    const response = await connected(send(url, init));
    if (response.ok) return await connected(read(response));
    throw refusalOf(base, response, bodyOf(await connected(response.text())));
  } finally {
    either.release();
  }
}

function refusalOf(
  base: string,
  { status, headers }: Response,
  body: Readonly<Record<string, unknown>>,
): ApiError {
  const retryAfterS = secondsIn(headers.get('retry-after'));
  return new ApiError(
    base,
    status,
    errorMessage(status, body),
    body,
    retryAfterS,
    headers.get('x-request-id'),
  );
}

/** Servers of this API send seconds; the date form of the header is ignored. */
function secondsIn(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
}

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    return {};
  }
}

/**
 * Why a fetch failed. Node puts the reason in the error's cause; browsers hide it.
 *
 * @param timeoutMs how long the fetch was given
 */
export async function connectionErrorMessage(error: unknown, timeoutMs: number): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  if (error.name === 'AbortError') return 'given up';
  const { cause } = error;
  if (!(cause instanceof Error)) return 'network error';
  // Pages need none of its texts, and do not load them.
  const { causeMessage } = await import('./cause-message.ts');
  return causeMessage(cause);
}

interface EitherSignal {
  /** Aborts as soon as one of the two does, with its reason. */
  readonly signal: AbortSignal;
  /** Ends the listening: the caller's signal may outlive many requests. */
  readonly release: () => void;
}

/** Joins two signals as `AbortSignal.any` does, which the oldest supported browsers lack. */
function eitherSignal(first: AbortSignal, second: AbortSignal | undefined): EitherSignal {
  if (second === undefined) return { signal: first, release: () => undefined };
  const controller = new AbortController();
  const signals = [first, second];
  const follow = (): void => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', follow);
  if (signals.some(({ aborted }) => aborted)) follow();
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', follow);
    },
  };
}
