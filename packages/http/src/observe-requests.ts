import { REQUEST_ID, requestTrace, runWithTrace } from '@heliograph/kit';
import type { RequestObserver } from '@heliograph/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Of the server, so that `request.id` is the id that log lines and answers have. */
export const REQUEST_IDS = {
  genReqId: (request: Parameters<typeof requestTrace>[0]): string => requestTrace(request).traceId,
};

/**
 * Gives every request its trace context: its answer has the id, its log lines have it, and it is counted and logged when
 * it is over. The first of the hooks, so that refusals of the others have an id too.
 */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') observer.declare(one, url);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const trace = requestTrace(request.raw);
    const startedMs = performance.now();
    const { raw: response } = reply;
    // On the raw response, because the framework does not write every answer.
    response.setHeader(REQUEST_ID, trace.traceId);
    response.once('close', () =>
      observer.ended(trace, {
        method: request.method,
        route: request.routeOptions.url,
        status: response.headersSent ? response.statusCode : 0,
        durationMs: performance.now() - startedMs,
      }),
    );
    runWithTrace(trace, done);
  });
  // The body's events, in which the request goes on, belong to the connection.
  const resume = ({ raw }: FastifyRequest, _reply: unknown, done: () => void): void =>
    runWithTrace(requestTrace(raw), done);
  app.addHook('preValidation', resume);
}
