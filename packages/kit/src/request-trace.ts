import type { IncomingHttpHeaders } from 'node:http';
import { type TraceContext, traceOf } from './trace-context.ts';

/** Kept on the request itself, where it costs nearly nothing and goes with it. */
const TRACE = Symbol('trace');

type TracedRequest = { readonly headers: IncomingHttpHeaders; [TRACE]?: TraceContext };

/** The context of a request, the same each time. */
export function requestTrace(request: { readonly headers: IncomingHttpHeaders }): TraceContext {
  const traced = request as TracedRequest;
  traced[TRACE] ??= traceOf(traced.headers);
  return traced[TRACE];
}
