import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { inPieces } from '../machine/in-pieces.ts';

/**
 * The behaviour of a bad line.
 *
 * - `none`: it is a good line
 * - `silent`: requests arrive, answers do not
 * - `cut`: requests arrive, and the connection breaks before the answer
 * - `garbage`: answers come back with every bit after their header turned over
 * - `close`: the connection is closed right behind each answer
 * - `hang up`: connections are closed as soon as they are made
 */
export type Fault = 'none' | 'silent' | 'cut' | 'garbage' | 'close' | 'hang up';

export interface FaultyLink {
  readonly host: string;
  readonly port: number;
  /** From the next request or answer on; so many times, or until the next call. */
  behave(fault: Fault, times?: number): void;
  /** Breaks every connection, as a device does that restarts. */
  breakConnections(): void;
  /** Connections made so far. */
  readonly connections: number;
  /** Connections that are there now. */
  readonly openConnections: number;
  stop(): Promise<void>;
}

/** Modbus TCP: transaction id, protocol id and length stand before unit id and function. */
const HEADER_BYTES = 6;

/** A line to a Modbus TCP server that misbehaves on command. */
export async function startFaultyLink(target: {
  readonly host: string;
  readonly port: number;
}): Promise<FaultyLink> {
  const host = '127.0.0.1';
  const open = new Set<Socket>();
  let fault: Fault = 'none';
  let remaining = Number.POSITIVE_INFINITY;
  let connections = 0;

  /** The fault to commit now, if it is one of these. */
  const commit = (...possible: readonly Fault[]): Fault => {
    if (remaining === 0 || !possible.includes(fault)) return 'none';
    remaining -= 1;
    return fault;
  };

  const server = createServer((client) => {
    connections += 1;
    if (commit('hang up') === 'hang up') {
      client.destroy();
      return;
    }
    const unit = connect(target);
    for (const [one, other] of [
      [client, unit],
      [unit, client],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    client.on('data', (request) => unit.write(request));
    let pending = Buffer.alloc(0);
    unit.on('data', (piece) => {
      pending = Buffer.concat([pending, piece]);
      for (let end = endOfFrame(pending); end <= pending.length; end = endOfFrame(pending)) {
        passOn(pending.subarray(0, end));
        pending = pending.subarray(end);
      }
    });
    const passOn = (answer: Buffer): void => {
      const committed = commit('silent', 'cut', 'garbage', 'close');
      if (committed === 'cut') client.destroy();
      else if (committed === 'garbage') client.write(garbled(answer));
      else if (committed === 'close') client.end(answer);
      else if (committed === 'none') client.write(answer);
    };
  });
  inPieces(server).listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');

  const breakConnections = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    host,
    port: address.port,
    behave: (next, times = Number.POSITIVE_INFINITY) => {
      fault = next;
      remaining = times;
    },
    breakConnections,
    get connections() {
      return connections;
    },
    get openConnections() {
      // Each has two sides: the client's and the unit's.
      return open.size / 2;
    },
    stop: async () => {
      server.close();
      breakConnections();
      await once(server, 'close');
    },
  };
}

/** The length of the first frame, or of its header where that is not there yet, in bytes. */
function endOfFrame(bytes: Buffer): number {
  return bytes.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + bytes.readUInt16BE(HEADER_BYTES - 2);
}

function garbled(answer: Buffer): Buffer {
  return Buffer.from(answer.map((byte, index) => (index < HEADER_BYTES ? byte : byte ^ 0xff)));
}
