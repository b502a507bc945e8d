import { join } from 'node:path';
import { startChild } from '../child.ts';
import { startMosquitto } from './mosquitto.ts';
import { MQTT_HELLO } from './protocols.ts';
import type { ReadersOrder } from './readers.ts';
import type { Sent } from './sent.ts';

/** Address and protocol of the readers. */
export type Route = Omit<ReadersOrder, 'count' | 'stalledS'>;

const HOST = '127.0.0.1';

/** The device's stream by way of the proxy. @param host the proxy's, with its port */
export function streamRoute(
  host: string,
  { token, siteId, siteKey }: { token: string; siteId: number; siteKey: string },
): Route {
  const { hostname, port } = new URL(`http://${host}`);
  const query = new URLSearchParams({ vsn: '2.0.0', token });
  const hello = [
    `GET /api/websocket?${query} HTTP/1.1`,
    `host: ${host}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16, 1).toString('base64')}`,
    `site-id: ${siteId}`,
    `site-key: ${siteKey}`,
  ];
  return {
    host: hostname,
    port: Number(port),
    protocol: 'websocket',
    hello: `${hello.join('\r\n')}\r\n\r\n`,
  };
}

/** A route of a peer's, whose processes end with it. */
export type PeerRoute = Route & AsyncDisposable;

/** The same message every second straight from a process: the cost of the readers and this machine alone. */
export async function bareRoute(sent: Sent): Promise<PeerRoute> {
  const program = join(import.meta.dirname, 'bare-server.ts');
  const { process: child, message } = await startChild<{ port: number }>(program, { order: sent });
  return {
    host: HOST,
    port: message.port,
    protocol: 'websocket',
    hello: 'hello',
    [Symbol.asyncDispose]: async () => child.disconnect(),
  };
}

/** The same message every second from a publisher through Mosquitto. */
export async function mosquittoRoute(sent: Sent): Promise<PeerRoute> {
  await using undo = new AsyncDisposableStack();
  const { port } = undo.use(await startMosquitto());
  const program = join(import.meta.dirname, 'mqtt-publisher.ts');
  const { process: child } = await startChild(program, { order: { ...sent, port } });
  undo.defer(async () => child.disconnect());
  const running = undo.move();
  return {
    host: HOST,
    port,
    protocol: 'mqtt',
    hello: MQTT_HELLO.toString('latin1'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
