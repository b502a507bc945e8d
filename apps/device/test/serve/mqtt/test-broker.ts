import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { inPieces } from '@heliograph/dev/in-pieces';
import { Aedes, type AedesOptions, type Client } from 'aedes';

export interface TestBrokerOptions {
  /** The port of an earlier broker. */
  readonly port?: number;
  readonly tls?: TlsOptions;
  readonly rules?: AedesOptions;
}

/** A real broker on a free port. */
export interface TestBroker {
  readonly port: number;
  readonly url: string;
  /** The clients that are connected now. */
  readonly clients: ReadonlyMap<string, Client>;
  /** Cuts a client's connection, as a network does. */
  cutClient(id: string): void;
  stop(): Promise<void>;
}

export async function startBroker({ port = 0, tls, rules }: TestBrokerOptions = {}): Promise<TestBroker> {
  const broker = await Aedes.createBroker(rules);
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    broker.handle(socket);
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  inPieces(server).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const clients = new Map<string, Client>();
  broker.on('clientReady', (client) => clients.set(client.id, client));
  broker.on('clientDisconnect', ({ id }) => clients.delete(id));
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    url: `${tls === undefined ? 'mqtt' : 'mqtts'}://127.0.0.1:${actual}`,
    clients,
    cutClient: (id) => clients.get(id)?.conn.destroy(),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await new Promise<void>((resolve) => broker.close(() => resolve()));
    },
  };
}
