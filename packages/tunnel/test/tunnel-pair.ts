import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Multiplexer } from '../src/multiplexer.ts';
import type { VirtualConnection } from '../src/virtual-connection.ts';

/** The events of one end of a tunnel. */
export interface EndEvents {
  readonly connections: VirtualConnection[];
  readonly signals: string[];
  left: boolean;
  /** The reason of the close, in a list; empty as long as it is open. */
  readonly closed: (string | undefined)[];
}

/** The two connected sockets of this machine. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const one = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [other] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  return [one, other];
}

export interface TunnelEnd extends EndEvents {
  readonly multiplexer: Multiplexer;
}

/** One end of a tunnel on a socket. */
export function tunnelEnd(socket: Socket, opens: boolean): TunnelEnd {
  const connections: VirtualConnection[] = [];
  const signals: string[] = [];
  const closed: (string | undefined)[] = [];
  const multiplexer = new Multiplexer(
    { socket, opens },
    {
      onConnection: (connection) => {
        connection.on('error', () => undefined);
        connections.push(connection);
      },
      onSignal: (payload) => signals.push(String(payload)),
      onLeave: () => {
        end.left = true;
      },
      onClose: (reason) => closed.push(reason),
    },
  );
  const end = { multiplexer, connections, signals, closed, left: false };
  return end;
}

/** Both ends of a tunnel; the first opens connections. */
export async function tunnelPair(): Promise<[TunnelEnd, TunnelEnd]> {
  const [near, far] = await socketPair();
  return [tunnelEnd(near, true), tunnelEnd(far, false)];
}
