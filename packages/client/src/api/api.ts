import type { Operation } from '@heliograph/contracts';
import type { ClientRoute, ClientRoutes } from '@heliograph/contracts/operations/client-routes';
import { type Call, callBytes, callJson, callText } from '../http/call.ts';
import type { OnceOptions } from '../http/call-options.ts';
import type { Methods } from './methods.ts';
import { requestOf } from './request.ts';

export interface ApiOptions extends Pick<Call, 'headers' | 'timeoutMs' | 'retry' | 'fetch'> {
  /** Scheme, host and optionally a path, without a trailing slash. */
  readonly base: string;
}

/** How long a file may take to arrive on a slow line, in milliseconds. */
const FILE_TIMEOUT_MS = 10 * 60_000;

/** A method for each route. */
export function methodsOf<Operations extends Readonly<Record<string, Operation>>>(
  routes: ClientRoutes<Operations>,
  options: ApiOptions,
): Methods<Operations> {
  const methods = Object.entries<ClientRoute>(routes).map(([id, route]) => [
    id,
    async (input?: Readonly<Record<string, unknown>>, { signal, idempotencyKey: key }: OnceOptions = {}) =>
      call(route, key === undefined ? options : withKey(options, key), {
        ...requestOf(route, input),
        ...(signal && { signal }),
      }),
  ]);
  return Object.fromEntries(methods) as Methods<Operations>;
}

function withKey({ headers, ...options }: ApiOptions, key: string): ApiOptions {
  return { ...options, headers: { ...headers, 'idempotency-key': key } };
}

async function call(
  { answer }: ClientRoute,
  { base, ...options }: ApiOptions,
  request: Omit<Call, keyof ApiOptions>,
): Promise<unknown> {
  const complete = { ...request, ...options };
  if (answer === 'text') return await callText(base, complete);
  if (answer === 'bytes') return await callBytes(base, { ...complete, timeoutMs: FILE_TIMEOUT_MS });
  if (answer === undefined) return await callJson(base, complete);
  await callText(base, complete);
  return undefined;
}
