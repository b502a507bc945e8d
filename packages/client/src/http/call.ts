import { connectionErrorMessage } from './connection-error-message.ts';
import { errorMessage, isRecord } from './error-message.ts';
import { ApiError, ConnectionError, UnexpectedAnswer } from './errors.ts';
import { type Query, queryString } from './query.ts';

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
}

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
export async function callText(base: string, call: Call): Promise<string> {
  return await (await callBytes(base, call)).text();
}

/** As {@link callJson}, for an answer of any media type. */
export async function callBytes(base: string, call: Call): Promise<Blob> {
  const { status, content, retryAfterS } = await exchange(base, call);
  if (status >= 200 && status < 300) return content;
  const body = bodyOf(await content.text());
  throw new ApiError(base, status, errorMessage(status, body), body, retryAfterS);
}

interface Answer {
  readonly status: number;
  readonly content: Blob;
  readonly retryAfterS: number | null;
}

async function exchange(base: string, call: Call): Promise<Answer> {
  const { method = 'GET', path, query = {}, headers = {}, body, file, timeoutMs, signal } = call;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${base}${path}${queryString(query)}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: file ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    return {
      status: response.status,
      content: await response.blob(),
      retryAfterS: secondsIn(response.headers.get('retry-after')),
    };
  } catch (error) {
    throw new ConnectionError(base, connectionErrorMessage(error, timeoutMs), error);
  }
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
