import { AddressList } from '../client-address/address-list.ts';
import type { ClientAddress } from '../client-address/client-address.ts';
import { type ClientRequest, type ClientResponse, hostOf } from '../http/client.ts';
import { type Refusal, refuse } from '../http/refuse.ts';

const NOT_FOUND: Refusal = { status: 404, error: 'Not found' };

const THIS_MACHINE = new AddressList(['127.0.0.0/8', '::1']);

export interface OperationalEndpointsOptions {
  /** Why the proxy should be sent no requests at the moment, if it should not. */
  readonly notReady: () => Refusal | undefined;
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
        respondOk(res);
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
    const refusal = this.#options.notReady();
    if (refusal === undefined) respondOk(res);
    else refuse(req, res, refusal);
  }

  /** 404 for addresses that may not read the metrics. */
  #respondMetrics(
    req: ClientRequest,
    res: ClientResponse,
    { address, isUntrustedForward }: ClientAddress,
  ): void {
    // A reverse proxy on this machine that is not trusted would open them to the whole world. It sends forwarding headers, or
    // the public host.
    const isForwarded = isUntrustedForward || (THIS_MACHINE.has(address) && !namesThisMachine(hostOf(req)));
    if (isForwarded || !this.#options.metricsFrom.has(address)) {
      refuse(req, res, NOT_FOUND);
      return;
    }
    this.#options.metrics().then(
      (text) => respond(res, 'text/plain; version=0.0.4; charset=utf-8', text),
      () => refuse(req, res, { status: 500, error: 'The metrics cannot be told' }),
    );
  }
}

/** @param host with an optional port */
function namesThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || THIS_MACHINE.has(name);
}

function respondOk(res: ClientResponse): void {
  respond(res, 'application/json; charset=utf-8', '{"status":"ok"}');
}

function respond(res: ClientResponse, contentType: string, body: string): void {
  if (res.destroyed) return;
  res.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  res.end(body);
}
