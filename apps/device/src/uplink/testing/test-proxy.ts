import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { relayInPieces } from '@heliograph/dev-env/in-pieces';
import { TUNNEL_MOVE_PING, TUNNEL_PATH, TUNNEL_PROTOCOL } from '@heliograph/wire';

export interface TunnelAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  /** Host and port for clients' WebSockets. */
  readonly host: string;
  /** The headers of devices' dials, newest last. */
  readonly dials: IncomingMessage['headers'][];
  /** Set to refuse devices with this status. */
  refusal: number | undefined;
  /** Set to answer the upgrade and then nothing at all, as over a link that died. */
  mute: boolean;
  /** The newest tunnel that is up; waits for one. */
  tunnel(): Promise<ClientHttp2Session>;
  /** How many tunnels were opened so far. */
  readonly opened: number;
  request(path: string, headers?: OutgoingHttpHeaders, body?: string): Promise<TunnelAnswer>;
  /** Asks the device on the newest tunnel to move to another proxy. */
  requestMove(): Promise<void>;
  /** Sends a proxy's ping about revocations. */
  sendRevocations(ping: Buffer): Promise<void>;
  /** Cuts the device's connection without a word. */
  cut(): void;
  stop(): Promise<void>;
}

/** Ends of RFC 6455, section 1.3. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Plays the proxy: takes a device's tunnel, sends requests into it, and joins the WebSockets of its own
 * clients to it by extended CONNECT. It checks nothing.
 *
 * @param at the port to listen on, such as that of a proxy that was stopped; 0 lets the system pick one
 */
export async function startTestProxy(
  tls?: { readonly key: Buffer; readonly cert: Buffer },
  at = 0,
): Promise<TestProxy> {
  const server = tls === undefined ? createHttpServer() : createHttpsServer(tls);
  let sessions: ClientHttp2Session[] = [];
  let sockets: Socket[] = [];
  const arrivals: (() => void)[] = [];

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => undefined);
    if (request.url === TUNNEL_PATH) openTunnel(request, socket, head);
    else void proxy.tunnel().then((session) => joinWebSocket(session, request, socket));
  });

  function openTunnel(request: IncomingMessage, socket: Socket, head: Buffer): void {
    proxy.dials.push(request.headers);
    if (proxy.refusal !== undefined) {
      socket.end(`HTTP/1.1 ${proxy.refusal} Refused\r\nContent-Length: 6\r\nConnection: close\r\n\r\nno way`);
      return;
    }
    sockets.push(socket);
    // Node aborts when a session takes over a TLS socket with a write under way, hence the callback.
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${TUNNEL_PROTOCOL}\r\n\r\n`,
      () => (proxy.mute ? undefined : acceptTunnel(socket, head)),
    );
  }

  function acceptTunnel(socket: Socket, head: Buffer): void {
    if (head.length > 0) socket.unshift(head);
    const session = connect('http://device', { createConnection: () => socket });
    session.on('error', () => undefined);
    session.on('close', () => {
      sessions = sessions.filter((other) => other !== session);
    });
    session.on('goaway', () => undefined);
    session.once('remoteSettings', () => {
      sessions.push(session);
      opened++;
      for (const arrive of arrivals.splice(0)) arrive();
    });
  }

  let opened = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const relay = relayInPieces(() => (server.address() as AddressInfo).port).listen(at, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  const proxy: TestProxy = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    host: `127.0.0.1:${port}`,
    dials: [],
    refusal: undefined,
    mute: false,
    get opened() {
      return opened;
    },
    async tunnel() {
      for (;;) {
        const newest = sessions.findLast((session) => !session.closed && !session.destroyed);
        if (newest !== undefined) return newest;
        await new Promise<void>((resolve) => arrivals.push(resolve));
      }
    },
    async request(path, headers = {}, body) {
      const session = await proxy.tunnel();
      const method = body === undefined ? 'GET' : 'POST';
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const stream = session.request({ ':path': path, ':method': method, ...type, ...headers });
      stream.end(body);
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
      return { status: Number(answer[':status']), headers: answer, body: await text(stream) };
    },
    async requestMove() {
      (await proxy.tunnel()).ping(TUNNEL_MOVE_PING, () => undefined);
    },
    async sendRevocations(ping) {
      (await proxy.tunnel()).ping(ping, () => undefined);
    },
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets = [];
    },
    async stop() {
      proxy.cut();
      relay.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Answers the client's handshake as the device answers CONNECT, then lets the frames pass both ways. */
function joinWebSocket(session: ClientHttp2Session, request: IncomingMessage, client: Duplex): void {
  const stream = session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': request.url ?? '/',
    'x-forwarded-for': '203.0.113.9',
    ...(typeof request.headers['site-id'] === 'string' ? { 'site-id': request.headers['site-id'] } : {}),
    ...(typeof request.headers['site-key'] === 'string' ? { 'site-key': request.headers['site-key'] } : {}),
  });
  stream.on('error', () => client.destroy());
  stream.on('close', () => client.destroy());
  client.on('close', () => stream.destroy());
  stream.once('response', (answer) => {
    if (answer[':status'] !== 200) {
      client.end(`HTTP/1.1 ${answer[':status']} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${WEBSOCKET_GUID}`)
      .digest('base64');
    client.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    client.pipe(stream);
    stream.pipe(client);
  });
}
