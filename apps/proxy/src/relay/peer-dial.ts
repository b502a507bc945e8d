import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { RELAY_PATH, RELAY_PROTOCOL } from '@heliograph/wire';

/** How long another proxy may take to open the way to it, in milliseconds. */
const DIAL_TIMEOUT_MS = 3_000;
/** How long the network may be silent before the system asks whether the peer is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;
/** Buffer of one answer for a slow client, in bytes. */
const STREAM_WINDOW_BYTES = 64 * 1024;
/** Bytes in flight between two proxies. */
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Memory of one connection, in megabytes; beyond it streams are refused. It carries the requests of many sites. */
const SESSION_MEMORY_MB = 256;

export interface PeerConnection {
  readonly http2: ClientHttp2Session;
  readonly socket: Socket;
}

/**
 * Opens the tunnel to another proxy.
 *
 * @param url where that proxy is dialled
 * @throws with the reason, for the log
 */
export async function dialPeer(url: string, token: string): Promise<PeerConnection> {
  const timeout = AbortSignal.timeout(DIAL_TIMEOUT_MS);
  const socket = await upgraded(url, token, timeout);
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const http2 = connect('http://proxy', {
    createConnection: () => socket,
    maxSessionMemory: SESSION_MEMORY_MB,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
  });
  http2.setLocalWindowSize(SESSION_WINDOW_BYTES);
  await new Promise<void>((resolve, reject) => {
    const abort = (): unknown => http2.destroy(new Error('no HTTP/2 settings in time'));
    timeout.addEventListener('abort', abort);
    http2.once('remoteSettings', () => {
      timeout.removeEventListener('abort', abort);
      resolve();
    });
    // Also handles later errors, which the open requests report to their clients.
    http2.on('error', reject);
    http2.once('close', () => {
      socket.destroy();
      reject(new Error('the connection was closed'));
    });
  });
  return { http2, socket };
}

function upgraded(url: string, token: string, signal: AbortSignal): Promise<Socket> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { connection: 'Upgrade', upgrade: RELAY_PROTOCOL, authorization: `Bearer ${token}` };
  const req = send(url + RELAY_PATH, { agent: false, headers, signal });
  return new Promise((resolve, reject) => {
    req.on('error', reject);
    req.on('upgrade', (_res: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    req.on('response', (res: IncomingMessage) => {
      res.destroy();
      reject(new Error(`it answered ${res.statusCode}`));
    });
    req.end();
  });
}
