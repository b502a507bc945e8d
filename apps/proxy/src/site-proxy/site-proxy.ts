import type { SiteTokenClaims } from '@heliograph/wire';
import { type Credentials, credentialsFromHeaders, credentialsFromUpgrade } from '../auth/credentials.ts';
import type { SiteAccessCheck } from '../auth/site-access.ts';
import type { ClientAddress } from '../client-address/client-address.ts';
import type { ProxyLimits } from '../config/limits.ts';
import { declaresTooLongBody } from '../http/body.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { isPreflight, respondToPreflight } from '../http/cors.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';
import { handshakeFault } from '../http/websocket-handshake.ts';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import type { Upstream } from '../links/upstream.ts';
import type { Counters } from '../metrics/counters.ts';
import { devicePath } from './device-path.ts';
import { type ForwardedRequest, forwardRequest } from './forward-request.ts';
import { type ForwardedWebSocket, forwardWebSocket } from './forward-websocket.ts';
import { InFlight } from './in-flight.ts';
import {
  bodyTooLong,
  CONNECTION_LOST,
  NO_LONGER_AUTHORIZED,
  WRITE_NO_LONGER_AUTHORIZED,
} from './refusals.ts';
import { BUSY, type UpstreamResolver } from './upstream-resolver.ts';

export interface SiteProxyOptions {
  readonly access: SiteAccessCheck;
  readonly upstreams: UpstreamResolver;
  readonly limits: ProxyLimits;
  readonly counters: Counters;
}

/** A request on its way through the gate. */
interface RequestContext {
  readonly req: ClientRequest;
  readonly res: ClientResponse;
  readonly clientAddress: ClientAddress;
  readonly credentials: Credentials;
}

/** The way of a client's request to its site: who are you, is the site there, then over to the device. */
export class SiteProxy {
  readonly #options: SiteProxyOptions;
  readonly inFlight = new InFlight();

  /** The same by site, since none may have too much. */
  readonly #requests: ConcurrencyLimiter<number>;
  readonly #webSockets: ConcurrencyLimiter<number>;

  constructor(options: SiteProxyOptions) {
    this.#options = options;
    this.#requests = new ConcurrencyLimiter(options.limits.requestsPerSite);
    this.#webSockets = new ConcurrencyLimiter(options.limits.webSocketsPerSite);
  }

  /** Ends what is under way for those whose tokens expired or were revoked since they were let in. */
  endUnauthorized(): void {
    this.inFlight.endUnless((claims) => this.#options.access.isStillAuthorized(claims));
  }

  request(
    req: ClientRequest,
    res: ClientResponse,
    clientAddress: ClientAddress,
    credentials: Credentials = credentialsFromHeaders(req.headers),
  ): void {
    if (isPreflight(req)) {
      respondToPreflight(req, res);
      return;
    }
    const context = { req, res, clientAddress, credentials };
    const claims = this.#options.access.check(credentials);
    // Cached tokens are checked without an await, since nearly every request has one.
    if (!(claims instanceof Promise)) this.#admit(context, claims);
    else {
      claims.then(
        (verified) => this.#admit(context, verified),
        () => refuse(req, res, CONNECTION_LOST),
      );
    }
  }

  async webSocket(
    client: WebSocketClient,
    clientAddress: ClientAddress,
    credentials: Credentials = credentialsFromUpgrade(client.request.headers, client.request.url ?? ''),
  ): Promise<void> {
    const { request, stream } = client;
    const { access, upstreams, limits } = this.#options;
    const claims = await access.check(credentials);
    if (stream.destroyed) return;
    const fault = 'error' in claims ? claims : handshakeFault(request);
    if ('error' in claims || fault !== undefined) {
      refuse(request, client.answer(), fault ?? CONNECTION_LOST);
      return;
    }
    const { siteId } = claims;
    const relayed = clientAddress.relayedBy !== undefined;
    if (relayed) this.#options.counters.relayedRequests++;
    if (!this.#webSockets.tryAcquire(siteId)) {
      refuse(request, client.answer(), BUSY);
      return;
    }
    let forwarded: ForwardedWebSocket | undefined;
    const inFlightRequest = {
      claims,
      isWebSocket: true,
      end: () => (forwarded === undefined ? stream.destroy() : forwarded.restart()),
    };
    this.inFlight.add(inFlightRequest);
    stream.once('close', () => {
      this.inFlight.remove(inFlightRequest);
      this.#webSockets.release(siteId);
    });
    const target = await upstreams.resolve(siteId, relayed);
    if (stream.destroyed) return;
    if ('error' in target) {
      refuse(request, client.answer(), target);
      return;
    }
    forwarded = forwardWebSocket(client, target, {
      clientAddress,
      credentials,
      path: devicePath(request.url ?? '/'),
      limits,
      nextUpstream: upstreams.successors(target, siteId, relayed),
    });
  }

  #admit(context: RequestContext, claims: SiteTokenClaims | Refusal): void {
    const { req, res } = context;
    const { limits, upstreams } = this.#options;
    if (res.destroyed) return;
    if ('error' in claims) refuse(req, res, claims);
    else if (declaresTooLongBody(req, limits.bodyBytes)) refuse(req, res, bodyTooLong(limits.bodyBytes));
    else if (!this.#requests.tryAcquire(claims.siteId)) refuse(req, res, BUSY);
    else {
      const { siteId } = claims;
      const relayed = context.clientAddress.relayedBy !== undefined;
      let forwarded: ForwardedRequest | undefined;
      /** Whether the client has its answer from here, or gets it. */
      let isRefused = false;
      const inFlightRequest = {
        claims,
        isWebSocket: false,
        end: () => {
          if (isRefused || res.writableEnded) return;
          isRefused = true;
          // To another proxy, an answer would be one of the device.
          if (relayed) res.destroy();
          else if (forwarded === undefined) refuse(req, res, NO_LONGER_AUTHORIZED);
          else forwarded.end(isRead(req) ? NO_LONGER_AUTHORIZED : WRITE_NO_LONGER_AUTHORIZED);
        },
      };
      this.inFlight.add(inFlightRequest);
      res.once('close', () => {
        this.inFlight.remove(inFlightRequest);
        this.#requests.release(siteId);
      });
      if (relayed) this.#options.counters.relayedRequests++;
      const pass = (found: Upstream | Refusal): void => {
        if (isRefused) return;
        forwarded = this.#pass(context, siteId, found);
        isRefused = forwarded === undefined;
      };
      const target = upstreams.resolve(siteId, relayed);
      if (!(target instanceof Promise)) pass(target);
      else {
        target.then(pass, () => {
          if (isRefused) return;
          isRefused = true;
          refuse(req, res, CONNECTION_LOST);
        });
      }
    }
  }

  /** @returns undefined if the request went to no device */
  #pass(
    { req, res, clientAddress, credentials }: RequestContext,
    siteId: number,
    target: Upstream | Refusal,
  ): ForwardedRequest | undefined {
    const { limits, upstreams } = this.#options;
    if (res.destroyed) return undefined;
    if ('error' in target) {
      refuse(req, res, target);
      return undefined;
    }
    return forwardRequest(req, res, target, {
      clientAddress,
      credentials,
      path: devicePath(req.url ?? '/'),
      limits,
      nextUpstream: upstreams.successors(target, siteId, clientAddress.relayedBy !== undefined),
    });
  }
}

/** Whether a request changes nothing. */
function isRead({ method }: ClientRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
