import { deviceOperations } from '@heliograph/contracts/operations/device';
import { type Logger, requestTrace } from '@heliograph/kit';
import { type EndedRequest, levelOfFailures, RequestObserver, type SpanExport } from '@heliograph/telemetry';
import type { ClientRequest } from '../http/client.ts';
import { outcomeOf } from '../http/outcome.ts';

/** Other paths than those of operations: the stream, tools, and the endpoints of the proxy itself. */
const OTHER_PATHS = [
  '/api/websocket',
  '/api/socket/websocket',
  '/api/v1/mcp',
  '/mcp',
  '/healthz',
  '/readyz',
  '/metrics',
];

const FIXED = new Set(OTHER_PATHS);
const PATTERNS: (readonly [expression: RegExp, pattern: string])[] = [];

for (const { route } of Object.values(deviceOperations)) {
  const [, path = ''] = route.split(' ');
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  if (pattern === path) FIXED.add(path);
  else PATTERNS.push([new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), pattern]);
}

/**
 * The pattern of a request's path, for logs: a path that is not known may hold anything.
 *
 * @param url path and query
 */
function siteRouteOf(url = ''): string | undefined {
  const [path = ''] = url.split('?', 1);
  if (FIXED.has(path)) return path;
  return PATTERNS.find(([expression]) => expression.test(path))?.[1];
}

/** A request that is over. Its route is found only where a line or a span needs it. */
class EndedSiteRequest implements EndedRequest {
  readonly #req: ClientRequest;
  readonly status: number;
  readonly durationMs: number;

  constructor(req: ClientRequest, status: number, durationMs: number) {
    this.#req = req;
    this.status = status;
    this.durationMs = durationMs;
  }

  get method(): string {
    return this.#req.method ?? 'GET';
  }

  get route(): string | undefined {
    return siteRouteOf(this.#req.url);
  }
}

/** Logs and exports requests: failures in any case, all others at the level debug, for they are many. */
export class RequestLog {
  readonly #observer: RequestObserver;

  constructor(logger: Logger, spans: SpanExport | undefined) {
    this.#observer = new RequestObserver({ logger, levelOf: levelOfFailures, spans });
  }

  /** @param status 0 when there was no answer */
  ended(req: ClientRequest, status: number, durationMs: number): void {
    this.#observer.ended(requestTrace(req), new EndedSiteRequest(req, status, durationMs), () => {
      const outcome = outcomeOf(req);
      if (typeof outcome === 'object') return { answeredBy: 'proxy', reason: outcome.error };
      return { answeredBy: outcome === 'forwarded' ? 'device' : 'proxy' };
    });
  }
}
