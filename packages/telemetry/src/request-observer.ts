import type { Logger, TraceContext } from '@heliograph/kit';
import type { EndedRequest, RequestMetrics } from './request-metrics.ts';
import type { SpanExport } from './span-export.ts';

export interface RequestObserverOptions {
  readonly logger: Logger;
  /** The level of a request's line. */
  readonly levelOf: (request: EndedRequest) => 'debug' | 'info';
  readonly metrics?: RequestMetrics | undefined;
  readonly spans?: SpanExport | undefined;
}

/** Counts, logs and exports requests that are over: their route and outcome, without addresses, queries and bodies. */
export class RequestObserver {
  readonly #options: RequestObserverOptions;

  constructor(options: RequestObserverOptions) {
    this.#options = options;
  }

  /** Called for each route that is served. */
  declare(method: string, route: string): void {
    this.#options.metrics?.declare(method, route);
  }

  /** @param more further fields of the log line */
  ended(trace: TraceContext, request: EndedRequest, more?: () => object): void {
    const { logger, levelOf, metrics, spans } = this.#options;
    metrics?.ended(request);
    spans?.add(trace, request);
    const level = levelOf(request);
    if (!logger.isLevelEnabled(level)) return;
    const { method, route = null, durationMs } = request;
    const status = request.status === 0 ? CLIENT_LEFT : request.status;
    const fields = { requestId: trace.traceId, method, route, status, durationMs: tenths(durationMs) };
    logger[level]({ ...fields, ...more?.() }, 'request');
  }
}

/** Status in the log of a request whose client left before the answer, as web servers write it. */
const CLIENT_LEFT = 499;

/** Failures of the part itself: an answer with one of these is worth a line wherever requests have none. */
const FAILURES: ReadonlySet<number> = new Set([500, 502, 504]);

/** The level where requests are too many for a line each: lines of failures alone. */
export function levelOfFailures({ status }: EndedRequest): 'debug' | 'info' {
  return FAILURES.has(status) ? 'info' : 'debug';
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
