import { type AddressList, REQUEST_ID, requestTrace } from '@heliograph/kit';
import { EXPOSITION_TYPE, mayReadMetrics, type Readiness } from '@heliograph/telemetry';
import type { ClientAddress } from '../client-address/client-address.ts';
import { type ClientRequest, type ClientResponse, hostOf } from '../http/client.ts';
import { knownRefusal, refuse } from '../http/refuse.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_FOUND = knownRefusal({ status: 404, error: 'Not found' });

export interface OperationalEndpointsOptions {
  readonly readiness: Readiness;
  /** The metrics, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Addresses that may read the metrics. */
  readonly metricsFrom: AddressList;
}

/** Health, readiness and metrics, at the proxy's own host. */
export class OperationalEndpoints {
  readonly #options: OperationalEndpointsOptions;

  constructor(options: OperationalEndpointsOptions) {
    this.#options = options;
  }

  /** @returns whether the request was one of these */
  answer(req: ClientRequest, res: ClientResponse, clientAddress: ClientAddress): boolean {
    switch (req.url) {
      case '/healthz':
        respond(req, res, 200, JSON_TYPE, '{"status":"ok"}');
        return true;
      case '/readyz':
        this.#respondReady(req, res);
        return true;
      case '/metrics':
        this.#respondMetrics(req, res, clientAddress);
        return true;
      default:
        return false;
    }
  }

  #respondReady(req: ClientRequest, res: ClientResponse): void {
    void this.#options.readiness.answer().then((answer) => {
      respond(req, res, answer.status === 'ready' ? 200 : 503, JSON_TYPE, JSON.stringify(answer));
    });
  }

  /** 404 for addresses that may not read the metrics. */
  #respondMetrics(
    req: ClientRequest,
    res: ClientResponse,
    { address, isUntrustedForward = false }: ClientAddress,
  ): void {
    const { metricsFrom, metrics } = this.#options;
    if (!mayReadMetrics(metricsFrom, { address, host: hostOf(req), isUntrustedForward })) {
      refuse(req, res, NOT_FOUND);
      return;
    }
    metrics().then(
      (text) => respond(req, res, 200, EXPOSITION_TYPE, text),
      () => refuse(req, res, { status: 500, error: 'The metrics cannot be read' }),
    );
  }
}

function respond(
  req: ClientRequest,
  res: ClientResponse,
  status: number,
  contentType: string,
  body: string,
): void {
  if (res.destroyed) return;
  res.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    [REQUEST_ID]: requestTrace(req).traceId,
  });
  res.end(body);
}
