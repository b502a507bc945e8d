import type { SiteTokenClaims } from '@heliograph/wire';
import { type Credentials, credentialsFromHeaders, credentialsFromUpgrade } from '../auth/credentials.ts';
import type { SiteAccessCheck } from '../auth/site-access.ts';
import { forwardRequest, type RequestLimits } from '../forward/forward-request.ts';
import { forwardWebSocket, type WebSocketLimits } from '../forward/forward-websocket.ts';
import { bodyTooLong, LOST } from '../forward/refusals.ts';
import type { Upstream } from '../forward/upstream.ts';
import type { WebSocketClient } from '../forward/web-socket-client.ts';
import { handshakeFault } from '../forward/websocket-handshake.ts';
import { declaresTooMuch } from '../http/body.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { devicePath } from './device-path.ts';
import type { SiteRoutes } from './site-routes.ts';

export interface SiteGateOptions {
  readonly access: SiteAccessCheck;
  readonly routes: SiteRoutes;
  readonly limits: RequestLimits & WebSocketLimits;
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
  readonly #webSockets = new Map<WebSocketClient['stream'], SiteTokenClaims>();

  constructor(options: SiteGateOptions) {
    this.#options = options;
  }

  /** Closes every WebSocket; their clients come back to another proxy or to the next process. */
  stop(): void {
    this.closeWebSockets(() => true);
  }

  /** Closes the WebSockets of those whose claims are of a kind. */
  closeWebSockets(concerned: (claims: SiteTokenClaims) => boolean): void {
    for (const [stream, claims] of this.#webSockets) {
      if (!concerned(claims)) continue;
      if ('destroySoon' in stream) stream.destroySoon();
      else stream.end();
    }
  }

  request(req: ClientRequest, res: ClientResponse, visitor: Visitor): void {
    const credentials = credentialsFromHeaders(req.headers);
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

  async webSocket(client: WebSocketClient, visitor: Visitor): Promise<void> {
    const { request, stream } = client;
    const credentials = credentialsFromUpgrade(request.headers, request.url ?? '');
    const { access, routes, limits } = this.#options;
    const claims = await access.check(credentials);
    if (stream.destroyed) return;
    const fault = 'error' in claims ? claims : handshakeFault(request);
    if ('error' in claims || fault !== undefined) {
      refuse(request, client.answer(), fault ?? LOST);
      return;
    }
    const target = await routes.find(claims.siteId);
    if (stream.destroyed) return;
    if ('error' in target) {
      refuse(request, client.answer(), target);
      return;
    }
    this.#webSockets.set(stream, claims);
    stream.once('close', () => this.#webSockets.delete(stream));
    forwardWebSocket(client, target, {
      visitor,
      credentials,
      path: devicePath(request.url ?? '/'),
      limits,
      another: async () => routes.find(claims.siteId),
    });
  }

  #admit(passage: Passage, claims: SiteTokenClaims | Refusal): void {
    const { req, res } = passage;
    const { limits, routes } = this.#options;
    if (res.destroyed) return;
    if ('error' in claims) refuse(req, res, claims);
    else if (declaresTooMuch(req, limits.bodyBytes)) refuse(req, res, bodyTooLong(limits.bodyBytes));
    else {
      const target = routes.find(claims.siteId);
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
        another: async () => routes.find(siteId),
      });
    }
  }
}
