import type { SiteTokenClaims } from '@heliograph/wire';
import { type Credentials, credentialsFromHeaders, credentialsFromUpgrade } from '../auth/credentials.ts';
import type { SiteAccessCheck } from '../auth/site-access.ts';
import type { ProxyLimits } from '../config/limits.ts';
import { forwardRequest } from '../forward/forward-request.ts';
import { forwardWebSocket, type PassingWebSocket } from '../forward/forward-websocket.ts';
import { bodyTooLong, LOST } from '../forward/refusals.ts';
import type { Upstream } from '../forward/upstream.ts';
import type { WebSocketClient } from '../forward/web-socket-client.ts';
import { handshakeFault } from '../forward/websocket-handshake.ts';
import { declaresTooMuch } from '../http/body.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { answerPreflight, isPreflight } from '../http/cors.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import { Tally } from '../limits/tally.ts';
import type { Counters } from '../metrics/counters.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { Crossings } from './crossings.ts';
import { devicePath } from './device-path.ts';
import { BUSY, type SiteRoutes } from './site-routes.ts';

export interface SiteGateOptions {
  readonly access: SiteAccessCheck;
  readonly routes: SiteRoutes;
  readonly limits: ProxyLimits;
  readonly counters: Counters;
}

/** A request on its way through the gate. */
interface Passage {
  readonly req: ClientRequest;
  readonly res: ClientResponse;
  readonly visitor: Visitor;
  readonly credentials: Credentials;
}

/** The way of a client's request to its site: who are you, is the site there, then over to the device. */
export class SiteGate {
  readonly #options: SiteGateOptions;
  /** What is under way. */
  readonly crossings = new Crossings();

  /** The same by site, since none may have too much. */
  readonly #requests: Tally<number>;
  readonly #webSockets: Tally<number>;

  constructor(options: SiteGateOptions) {
    this.#options = options;
    this.#requests = new Tally(options.limits.requestsPerSite);
    this.#webSockets = new Tally(options.limits.webSocketsPerSite);
  }

  /** Ends what is under way for those whose tokens expired or were revoked since they were let in. */
  endUnauthorized(): void {
    this.crossings.endUnless((claims) => this.#options.access.isGood(claims));
  }

  request(
    req: ClientRequest,
    res: ClientResponse,
    visitor: Visitor,
    credentials: Credentials = credentialsFromHeaders(req.headers),
  ): void {
    if (isPreflight(req)) {
      answerPreflight(req, res);
      return;
    }
    const passage = { req, res, visitor, credentials };
    const claims = this.#options.access.check(credentials);
    // What is known already is answered without an await, since nearly every request takes this way.
    if (!(claims instanceof Promise)) this.#admit(passage, claims);
    else {
      claims.then(
        (verified) => this.#admit(passage, verified),
        () => refuse(req, res, LOST),
      );
    }
  }

  async webSocket(
    client: WebSocketClient,
    visitor: Visitor,
    credentials: Credentials = credentialsFromUpgrade(client.request.headers, client.request.url ?? ''),
  ): Promise<void> {
    const { request, stream } = client;
    const { access, routes, limits } = this.#options;
    const claims = await access.check(credentials);
    if (stream.destroyed) return;
    const fault = 'error' in claims ? claims : handshakeFault(request);
    if ('error' in claims || fault !== undefined) {
      refuse(request, client.answer(), fault ?? LOST);
      return;
    }
    const { siteId } = claims;
    const relayed = visitor.relayedBy !== undefined;
    if (relayed) this.#options.counters.relayedRequests++;
    if (!this.#webSockets.take(siteId)) {
      refuse(request, client.answer(), BUSY);
      return;
    }
    let passing: PassingWebSocket | undefined;
    const crossing = {
      claims,
      lasts: true,
      end: () => (passing === undefined ? stream.destroy() : passing.restart()),
    };
    this.crossings.add(crossing);
    stream.once('close', () => {
      this.crossings.remove(crossing);
      this.#webSockets.give(siteId);
    });
    const target = await routes.find(siteId, relayed);
    if (stream.destroyed) return;
    if ('error' in target) {
      refuse(request, client.answer(), target);
      return;
    }
    passing = forwardWebSocket(client, target, {
      visitor,
      credentials,
      path: devicePath(request.url ?? '/'),
      limits,
      another: (refusals, refusedBy) => routes.findAgain({ siteId, relayed, refusals, refusedBy }),
    });
  }

  #admit(passage: Passage, claims: SiteTokenClaims | Refusal): void {
    const { req, res } = passage;
    const { limits, routes } = this.#options;
    if (res.destroyed) return;
    if ('error' in claims) refuse(req, res, claims);
    else if (declaresTooMuch(req, limits.bodyBytes)) refuse(req, res, bodyTooLong(limits.bodyBytes));
    else if (!this.#requests.take(claims.siteId)) refuse(req, res, BUSY);
    else {
      const crossing = { claims, lasts: false, end: () => res.destroy() };
      this.crossings.add(crossing);
      res.once('close', () => {
        this.crossings.remove(crossing);
        this.#requests.give(claims.siteId);
      });
      const relayed = passage.visitor.relayedBy !== undefined;
      if (relayed) this.#options.counters.relayedRequests++;
      const target = routes.find(claims.siteId, relayed);
      if (!(target instanceof Promise)) this.#pass(passage, claims.siteId, target);
      else {
        target.then(
          (found) => this.#pass(passage, claims.siteId, found),
          () => refuse(req, res, LOST),
        );
      }
    }
  }

  #pass({ req, res, visitor, credentials }: Passage, siteId: number, target: Upstream | Refusal): void {
    const { limits, routes } = this.#options;
    if (res.destroyed) return;
    if ('error' in target) refuse(req, res, target);
    else {
      forwardRequest(req, res, target, {
        visitor,
        credentials,
        path: devicePath(req.url ?? '/'),
        limits,
        another: (refusals, refusedBy) => {
          const relayed = visitor.relayedBy !== undefined;
          return routes.findAgain({ siteId, relayed, refusals, refusedBy });
        },
      });
    }
  }
}
