import { constants, createServer, Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import { FORWARDED_FOR_HEADER } from '@heliograph/wire';
import type { ClientAddress } from '../client-address/client-address.ts';
import { Http2Response } from '../http/http2-response.ts';
import type { Refusal } from '../http/refuse.ts';
import { streamingClient } from '../http/websocket-handshake.ts';
import { NOT_HERE, type RelayHandlers } from '../links/relay-handlers.ts';

/** Requests and WebSockets of another proxy at a time; its own limits hold for each client and site. */
const MAX_CONCURRENT_STREAMS = 100_000;
/** Receive windows for another proxy, in bytes: per stream, and for the connection. */
const STREAM_WINDOW_BYTES = 64 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Memory of one connection, in megabytes; beyond it streams are refused. */
const SESSION_MEMORY_MB = 256;
/** How many cancelled requests are taken in a burst, and per second: the other proxy speaks for all its clients. */
const RESET_BURST = 20_000;
const RESET_RATE = 5_000;

/**
 * Takes the requests of a proxy of release 0.1, which opens streams of HTTP/2 for them.
 *
 * @param from the other proxy's name
 * @returns takes no more requests; those that were taken finish
 */
export function serveHttp2Relay(socket: Socket, from: string, handlers: RelayHandlers): () => void {
  // The protocol was agreed on by the Upgrade header, not by ALPN, which is where Node's server looks on TLS.
  if ('alpnProtocol' in socket) Object.defineProperty(socket, 'alpnProtocol', { value: 'h2' });
  const server = createServer({
    settings: {
      enableConnectProtocol: true,
      enablePush: false,
      initialWindowSize: STREAM_WINDOW_BYTES,
      maxConcurrentStreams: MAX_CONCURRENT_STREAMS,
    },
    maxSessionMemory: SESSION_MEMORY_MB,
    streamResetBurst: RESET_BURST,
    streamResetRate: RESET_RATE,
  });
  let leave = (): void => undefined;
  server.on('session', (session) => {
    session.setTimeout(0);
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    leave = () => session.close();
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers, _flags, rawHeaders) => {
    // The close event reports the failure.
    stream.on('error', () => undefined);
    const req = new Http2ServerRequest(stream, headers, {}, rawHeaders);
    const res = new RelayedResponse(stream);
    const clientAddress: ClientAddress = {
      address: req.headers[FORWARDED_FOR_HEADER]?.toString() ?? '',
      scheme: req.scheme === 'https' ? 'https' : 'http',
      relayedBy: from,
    };
    if (headers[':method'] !== 'CONNECT') handlers.request(req, res, clientAddress);
    else handlers.webSocket(streamingClient(req, res), clientAddress).catch(() => stream.destroy());
  });
  server.emit('connection', socket);
  return () => leave();
}

/** The other proxy looks again where a site is when the site is not here. */
class RelayedResponse extends Http2Response {
  handleRefusal(refusal: Refusal): boolean {
    if (refusal === NOT_HERE) this.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    return refusal === NOT_HERE;
  }
}
