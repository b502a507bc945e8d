import { type Logger, requestTrace } from '@heliograph/kit';
import { type EndedRequest, levelOfFailures, RequestObserver, type SpanExport } from '@heliograph/telemetry';
import type { ClientRequest } from '../http/client.ts';
import { outcomeOf } from '../http/outcome.ts';
import { siteRouteOf } from './site-route.ts';

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
