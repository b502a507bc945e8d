import { type AddressList, NotFound } from '@heliograph/kit';
import {
  EXPOSITION_TYPE,
  isForwarded,
  mayReadMetrics,
  type Readiness,
  type RequestObserver,
} from '@heliograph/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admit } from '../guards.ts';
import { originOf } from '../pages/origin.ts';
import { cannotBeRebound, isOwnPage } from '../pages/own-page.ts';

/** Health, metrics and log of requests. */
export interface Monitoring {
  readonly observer: RequestObserver;
  readonly readiness: Readiness;
  /** The metrics, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Addresses that may read the metrics without the device password. */
  readonly metricsFrom: AddressList;
}

/**
 * `/healthz`: the process serves. `/readyz`: it also has readings to serve, and room for what it stores. `/metrics`: to listed
 * addresses and to callers of the home network with the device password; through the proxy there are none.
 */
export function monitoringRoutes(
  app: FastifyInstance,
  admit: Admit,
  { readiness, metrics, metricsFrom }: Monitoring,
): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const answer = await readiness.answer();
    return reply.code(answer.status === 'ready' ? 200 : 503).send(answer);
  });
  const requireReader: Admit = (request, reply, done) => {
    if (originOf(request.raw).via === 'proxy') throw new NotFound('Not found');
    if (isListed(request, metricsFrom)) done();
    else admit(request, reply, done);
  };
  app.get('/metrics', { onRequest: requireReader }, async (_request, reply) => {
    const text = await metrics();
    return reply.type(EXPOSITION_TYPE).send(text);
  });
}

/** Pages of other origins that a browser at a listed address has open are not listed. */
function isListed({ raw, headers }: FastifyRequest, metricsFrom: AddressList): boolean {
  const { host = '' } = headers;
  if (!isOwnPage(headers) || !cannotBeRebound(host)) return false;
  return mayReadMetrics(metricsFrom, {
    address: originOf(raw).address,
    host,
    isUntrustedForward: isForwarded(headers),
  });
}
