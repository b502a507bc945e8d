import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '@heliograph/wire';

/**
 * In milliseconds: thousands dial at once when a proxy has restarted, and a device that hangs up before its turn makes it work in vain.
 */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long the network may be silent before the system asks whether the peer is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** Longest part of a refusal's text that is kept for the log, in characters. */
const MAX_REASON_LENGTH = 200;

/** The proxy answered, and did not open the tunnel. */
export class TunnelRefused extends Error {
  override readonly name = 'TunnelRefused';
  readonly status: number;

  constructor(status: number, reason: string) {
    super(`the proxy answers ${status}${reason === '' ? '' : `: ${reason}`}`);
    this.status = status;
  }
}

/**
 * The proxy takes the path and the protocol for nothing of its own, and asks for the token of a site: its release is 0.1,
 * which knows other tunnels alone.
 */
export class ProxyTooOld extends Error {
  override readonly name = 'ProxyTooOld';

  constructor() {
    super('the proxy runs an older release than this device: update the proxy');
  }
}

/** The answer of proxies to an upgrade that is not theirs, which comes without the token of a site. */
const NO_SITE_TOKEN = '{"error":"Unauthorized"}';

export interface DialOptions {
  /** `http` or `https`, as the cloud answered. */
  readonly proxyUrl: string;
  readonly tunnelToken: string;
  readonly signal: AbortSignal;
  /** How long the proxy's machine may be silent, in milliseconds. Default 30 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long the proxy may take to answer once its machine has, in milliseconds. Default 30 s. */
  readonly answerTimeoutMs?: number;
  /** Certificate authorities besides the system's, PEM. */
  readonly ca?: string | undefined;
}

/**
 * Dials the proxy and asks for the upgrade to the tunnel's protocol.
 *
 * @returns the connection, on which the proxy now opens virtual connections
 * @throws ProxyTooOld, TunnelRefused when the proxy answers anything else, the system's error when it cannot be reached
 */
export function dialTunnel(dial: DialOptions): Promise<Socket> {
  const { proxyUrl, tunnelToken, signal, ca, answerTimeoutMs = ANSWER_TIMEOUT_MS } = dial;
  const { connectTimeoutMs = answerTimeoutMs } = dial;
  const url = new URL(TUNNEL_PATH, proxyUrl);
  const options: RequestOptions = {
    agent: false,
    signal,
    timeout: connectTimeoutMs,
    headers: {
      connection: 'Upgrade',
      upgrade: TUNNEL_PROTOCOL,
      authorization: `Bearer ${tunnelToken}`,
    },
    ...(ca === undefined ? {} : { ca }),
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    request.on('error', reject);
    let waitMs = connectTimeoutMs;
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        waitMs = answerTimeoutMs;
        request.setTimeout(waitMs);
      });
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${waitMs / 1000} s`)));
    request.on('response', (response) => {
      refusalOf(response).then(reject, reject);
    });
    request.on('upgrade', (_response, socket, head) => {
      prepare(socket, head);
      resolve(socket);
    });
    request.end();
  });
}

/** Readies the connection for the tunnel. */
function prepare(socket: Socket, head: Buffer): void {
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  if (head.length > 0) socket.unshift(head);
}

async function refusalOf(response: IncomingMessage): Promise<Error> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += chunk;
    if (text.length >= MAX_REASON_LENGTH) break;
  }
  response.destroy();
  if (response.statusCode === 401 && text === NO_SITE_TOKEN) return new ProxyTooOld();
  return new TunnelRefused(response.statusCode ?? 0, text.slice(0, MAX_REASON_LENGTH).trim());
}
