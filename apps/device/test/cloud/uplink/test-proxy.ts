import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { relayInPieces } from '@heliograph/dev/in-pieces';
import { TUNNEL_MOVE_SIGNAL, TUNNEL_PATH, TUNNEL_PROTOCOL, TUNNEL_UP_SIGNAL } from '@heliograph/wire';
import { ProxyTunnel, type TunnelAnswer } from './proxy-tunnel.ts';

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  /** Host and port for clients' WebSockets. */
  readonly host: string;
  /** The headers of devices' dials, newest last. */
  readonly dials: IncomingMessage['headers'][];
  /** Set to refuse devices with this status, or to close their connections without an answer. */
  refusal: number | 'nothing' | undefined;
  /** Set to answer the upgrade and then nothing at all, as over a link that died. */
  mute: boolean;
  /** The newest tunnel that is up; waits for one. */
  tunnel(): Promise<ProxyTunnel>;
  /** How many tunnels were opened so far. */
  readonly opened: number;
  request(path: string, headers?: OutgoingHttpHeaders, body?: string): Promise<TunnelAnswer>;
  /** Asks the device on the newest tunnel to move to another proxy. */
  requestMove(): Promise<void>;
  /** Sends a proxy's signal about revocations. */
  sendRevocations(payload: Buffer): Promise<void>;
  /** Cuts the device's connection without a word. */
  cut(): void;
  stop(): Promise<void>;
}

/**
 * Plays the proxy: takes a device's tunnel, sends requests into it, and joins the WebSockets of its own
 * clients to it. It checks nothing.
 *
 * @param at the port to listen on, such as that of a proxy that was stopped; 0 lets the system pick one
 */
export async function startTestProxy(
  tls?: { readonly key: Buffer; readonly cert: Buffer },
  at = 0,
): Promise<TestProxy> {
  const server = tls === undefined ? createHttpServer() : createHttpsServer(tls);
  let tunnels: ProxyTunnel[] = [];
  let sockets: Socket[] = [];
  const arrivals: (() => void)[] = [];

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => undefined);
    if (request.url === TUNNEL_PATH) openTunnel(request, socket, head);
    else void proxy.tunnel().then((tunnel) => joinWebSocket(tunnel, request, socket));
  });

  function openTunnel(request: IncomingMessage, socket: Socket, head: Buffer): void {
    proxy.dials.push(request.headers);
    if (proxy.refusal === 'nothing') {
      socket.destroy();
      return;
    }
    if (proxy.refusal !== undefined) {
      socket.end(`HTTP/1.1 ${proxy.refusal} Refused\r\nContent-Length: 6\r\nConnection: close\r\n\r\nno way`);
      return;
    }
    sockets.push(socket);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${TUNNEL_PROTOCOL}\r\n\r\n`,
      () => (proxy.mute ? undefined : acceptTunnel(socket, head)),
    );
  }

  function acceptTunnel(socket: Socket, head: Buffer): void {
    if (head.length > 0) socket.unshift(head);
    const tunnel = new ProxyTunnel(socket);
    tunnel.on('close', () => {
      tunnels = tunnels.filter((other) => other !== tunnel);
    });
    tunnel.signal(TUNNEL_UP_SIGNAL);
    tunnels.push(tunnel);
    opened++;
    for (const arrive of arrivals.splice(0)) arrive();
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
        const newest = tunnels.findLast(({ isClosing }) => !isClosing);
        if (newest !== undefined) return newest;
        await new Promise<void>((resolve) => arrivals.push(resolve));
      }
    },
    async request(path, headers, body) {
      return await (await proxy.tunnel()).send(path, headers, body);
    },
    async requestMove() {
      (await proxy.tunnel()).signal(TUNNEL_MOVE_SIGNAL);
    },
    async sendRevocations(payload) {
      (await proxy.tunnel()).signal(payload);
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

/** Lets the bytes of a WebSocket pass both ways, from the client's handshake on. */
function joinWebSocket(tunnel: ProxyTunnel, request: IncomingMessage, client: Duplex): void {
  const upgrade = tunnel.begin(request.url ?? '/', { ...request.headers, 'x-forwarded-for': '203.0.113.9' });
  upgrade.on('error', () => client.destroy());
  upgrade.once('upgrade', (answer, connection, head) => {
    client.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${answer.headers['sec-websocket-accept']}\r\n\r\n`,
    );
    client.write(head);
    connection.on('error', () => client.destroy());
    connection.on('close', () => client.destroy());
    client.on('close', () => connection.destroy());
    client.pipe(connection);
    connection.pipe(client);
  });
  upgrade.once('response', ({ statusCode }) => {
    client.end(`HTTP/1.1 ${statusCode} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  upgrade.end();
}
