import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SiteTokenClaims } from '@heliograph/wire';
import { credentialsFromHeaders, credentialsFromUpgrade } from './auth/credentials.ts';
import type { SiteAccessCheck } from './auth/site-access.ts';
import { BODY_TOO_LONG, forwardRequest, LOST } from './forward/forward-request.ts';
import { forwardWebSocket } from './forward/forward-websocket.ts';
import type { Scheme } from './forward/headers.ts';
import { handshakeFault } from './forward/websocket-handshake.ts';
import { declaresTooMuch } from './http/body.ts';
import { type Refusal, refuse } from './http/refuse.ts';
import { upgradeResponse } from './http/upgrade-response.ts';
import type { DeviceSession } from './sessions/device-session.ts';
import type { SessionRegistry } from './sessions/session-registry.ts';

const OFFLINE: Refusal = { status: 503, error: 'Site is offline', headers: { 'retry-after': '5' } };
const BUSY: Refusal = { status: 503, error: 'Site is busy', headers: { 'retry-after': '1' } };

export interface SiteGateOptions {
  readonly access: SiteAccessCheck;
  readonly registry: SessionRegistry;
  readonly scheme: Scheme;
  readonly answerDeadlineMs: number;
}

/** The way of a client's request to its site: who are you, is the site there, then over to the device. */
export class SiteGate {
  readonly #options: SiteGateOptions;
  readonly #webSockets = new Set<Socket>();

  constructor(options: SiteGateOptions) {
    this.#options = options;
  }

  /** Closes every WebSocket; their clients come back to another proxy or to the next process. */
  stop(): void {
    for (const socket of this.#webSockets) socket.destroySoon();
  }

  request(req: IncomingMessage, res: ServerResponse): void {
    const claims = this.#options.access.check(credentialsFromHeaders(req.headers));
    if (!(claims instanceof Promise)) this.#admitRequest(req, res, claims);
    else {
      claims.then(
        (verified) => this.#admitRequest(req, res, verified),
        () => refuse(req, res, LOST),
      );
    }
  }

  async upgrade(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const credentials = credentialsFromUpgrade(req.headers, req.url ?? '');
    const { access, scheme, answerDeadlineMs } = this.#options;
    const claims = await access.check(credentials);
    if (socket.destroyed) return;
    const target = 'error' in claims ? claims : (handshakeFault(req) ?? this.#sessionOf(claims));
    if ('error' in target) refuse(req, upgradeResponse(req, socket), target);
    else {
      this.#webSockets.add(socket);
      socket.once('close', () => this.#webSockets.delete(socket));
      forwardWebSocket({ req, socket, head, credentials }, target, scheme, answerDeadlineMs);
    }
  }

  #admitRequest(req: IncomingMessage, res: ServerResponse, claims: SiteTokenClaims | Refusal): void {
    if (res.destroyed) return;
    const { scheme, answerDeadlineMs } = this.#options;
    const target = this.#targetOf(req, claims);
    if ('error' in target) refuse(req, res, target);
    else forwardRequest(req, res, target, scheme, answerDeadlineMs);
  }

  #targetOf(req: IncomingMessage, claims: SiteTokenClaims | Refusal): DeviceSession | Refusal {
    if ('error' in claims) return claims;
    return declaresTooMuch(req) ? BODY_TOO_LONG : this.#sessionOf(claims);
  }

  #sessionOf(claims: SiteTokenClaims): DeviceSession | Refusal {
    const session = this.#options.registry.find(claims.siteId);
    if (session === undefined || session.gone) return OFFLINE;
    return session.busy ? BUSY : session;
  }
}
