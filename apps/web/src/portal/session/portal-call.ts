import { ApiError, ConnectionError } from '@heliograph/client';

/** How long the cloud may take to answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Calls what only the portal's own pages may: making and ending the session that a cookie holds.
 *
 * @returns undefined for an answer without content
 * @throws ApiError when the cloud refuses, ConnectionError when it cannot be reached
 */
export async function portalCall(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
  const response = await send(method, path, body);
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : parseJson(text);
  if (response.ok) return answer;
  const content = typeof answer === 'object' && answer !== null ? answer : {};
  const message =
    'error' in content && typeof content.error === 'string' ? content.error : response.statusText;
  throw new ApiError(location.origin, response.status, message, { ...content }, retryAfterSeconds(response));
}

function retryAfterSeconds({ headers }: Response): number | null {
  const seconds = headers.get('retry-after');
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) : null;
}

async function send(method: string, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      }),
    });
  } catch (error) {
    throw new ConnectionError(location.origin, 'no answer', error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
