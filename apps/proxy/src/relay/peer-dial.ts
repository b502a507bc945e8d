import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { HTTP2_RELAY_PROTOCOL, RELAY_PATH, RELAY_PROTOCOL } from '@heliograph/wire';
import { connectHttp2 } from '../http2-carrier/connect-http2.ts';
import type { Link, LinkListener } from '../links/link.ts';
import { TunnelLink } from '../links/tunnel-link.ts';

/** How long another proxy may take to open the way to it, in milliseconds. */
const DIAL_TIMEOUT_MS = 3_000;
/** How long the network may be silent before the system asks whether the peer is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** The other proxy answered, and did not open the tunnel. */
class RelayRefused extends Error {
  override readonly name = 'RelayRefused';

  constructor(status: number | undefined) {
    super(`it answered ${status}`);
  }
}

/**
 * Opens the tunnel to another proxy. One of release 0.1 refuses the protocol, and is dialled with HTTP/2.
 *
 * @param url where that proxy is dialled
 * @returns makes the link of the tunnel
 * @throws with the reason, for the log
 */
export async function dialPeer(url: string, token: string): Promise<(listener: LinkListener) => Link> {
  const signal = AbortSignal.timeout(DIAL_TIMEOUT_MS);
  try {
    const socket = await upgraded(url, token, RELAY_PROTOCOL, signal);
    return (listener) => new TunnelLink(socket, listener);
  } catch (error) {
    if (!(error instanceof RelayRefused)) throw error;
  }
  const socket = await upgraded(url, token, HTTP2_RELAY_PROTOCOL, signal);
  return await connectHttp2(socket, DIAL_TIMEOUT_MS);
}

function upgraded(url: string, token: string, upgrade: string, signal: AbortSignal): Promise<Socket> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { connection: 'Upgrade', upgrade, authorization: `Bearer ${token}` };
  const req = send(url + RELAY_PATH, { agent: false, headers, signal });
  return new Promise((resolve, reject) => {
    req.on('error', reject);
    req.on('upgrade', (_res: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    req.on('response', (res: IncomingMessage) => {
      res.destroy();
      reject(new RelayRefused(res.statusCode));
    });
    req.end();
  });
}
