import { type AddressList, peerAddress } from '@heliograph/kit';
import { EXPOSITION_TYPE, isForwarded, mayReadMetrics, type Readiness } from '@heliograph/telemetry';
import type { FastifyRequest } from 'fastify';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { answerNotFound } from '../../http/errors.ts';

export interface MonitoringOptions {
  readonly readiness: Readiness;
  /** The metrics, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Addresses that may read the metrics. */
  readonly metricsFrom: AddressList;
}

/** `/healthz`: the process runs. `/readyz`: it can serve, with a row for each check. `/metrics`, for listed addresses. */
export function monitoringRoutes(app: App, { readiness, metrics, metricsFrom }: MonitoringOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const answer = await readiness.answer();
    return reply.code(answer.status === 'ready' ? 200 : 503).send(answer);
  });
  app.get('/metrics', async (request, reply) => {
    const { address } = clientAddressFrom(request.ip);
    const source = { address: address ?? '', host: request.host, isUntrustedForward: isUntrusted(request) };
    if (!mayReadMetrics(metricsFrom, source)) return answerNotFound(reply);
    const text = await metrics();
    return reply.type(EXPOSITION_TYPE).send(text);
  });
}

/** Whether forwarding headers came from a peer that is no trusted proxy: then the address is still the peer's. */
function isUntrusted({ headers, ip, socket }: FastifyRequest): boolean {
  return isForwarded(headers) && ip === peerAddress(socket.remoteAddress);
}
