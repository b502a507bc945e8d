import { AsyncLocalStorage } from 'node:async_hooks';
import { TRACEPARENT, TRACESTATE, type TraceContext, traceparentOf } from './trace-context.ts';

const storage = new AsyncLocalStorage<TraceContext | undefined>();

/** Runs the handling of a request: its log lines bear the request's id, and its calls pass it on. */
export function runWithTrace<Result>(trace: TraceContext, run: () => Result): Result {
  return storage.run(trace, run);
}

/** A listener of events that belong to the request that is being handled now, such as the messages of a WebSocket. */
export function withCurrentTrace<Arguments extends unknown[]>(
  listener: (...args: Arguments) => void,
): (...args: Arguments) => void {
  return AsyncLocalStorage.bind(listener);
}

/** A function that may be called while a request is being handled, for work that goes on for others once it has ended. */
export function outsideOfRequests<Arguments extends unknown[], Result>(
  run: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  return (...args) => storage.run(undefined, run, ...args);
}

/** The context of the request that is being handled; undefined outside of one. */
export function currentTrace(): TraceContext | undefined {
  return storage.getStore();
}

/** The headers by which the callee of a request continues its context; none outside of a request. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const trace = currentTrace();
  if (trace === undefined) return {};
  const { state } = trace;
  return { [TRACEPARENT]: traceparentOf(trace), ...(state === undefined ? {} : { [TRACESTATE]: state }) };
}
