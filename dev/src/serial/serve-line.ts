import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { inPieces } from '../machine/in-pieces.ts';

/** Connects a simulated device to a line; the function that comes back takes it off again. */
export type Attach = (line: Duplex) => () => void;

export interface ServedLine {
  readonly host: string;
  readonly port: number;
  /** Connections made so far. */
  readonly connections: number;
  /** Breaks every connection, as a gateway does that restarts. */
  breakConnections(): void;
  /** Closes the port and every connection. */
  stop(): Promise<void>;
}

export interface ServeLineOptions {
  readonly host?: string;
  readonly port?: number;
  /** Sends answers whole: for thousands of exchanges, when what comes in pieces is tested elsewhere. */
  readonly whole?: true;
}

/** Puts a simulated device behind a TCP port, as a serial server does: each connection has the line to itself. */
export async function serveLine(
  attach: Attach,
  { host = '127.0.0.1', port = 0, whole }: ServeLineOptions = {},
): Promise<ServedLine> {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    open.add(socket);
    const detach = attach(socket);
    // Clients come and go; a connection that breaks is theirs to notice.
    socket.on('error', () => {});
    socket.once('close', () => {
      open.delete(socket);
      detach();
    });
  });
  (whole ? server : inPieces(server)).listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  const breakConnections = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    host,
    port: address.port,
    get connections() {
      return connections;
    },
    breakConnections,
    stop: async () => {
      server.close();
      breakConnections();
      await once(server, 'close');
    },
  };
}
