import type { Socket } from 'node:net';
import { type AddressList, canonicalAddress, type Logger } from '@heliograph/kit';
import { FailureLog } from '../log/failure-log.ts';
import { decodeProxyHeader, type ProxyHeader, ProxyHeaderFault } from './proxy-header.ts';

export interface BalancedConnectionsOptions {
  /** Load balancers, each of whose connections begins with a header of the PROXY protocol. */
  readonly sources: AddressList;
  /** How long a header may take, in milliseconds. */
  readonly headerMs: number;
  readonly logger: Logger;
  /** Called for each connection that is closed for want of a valid header. */
  readonly refused: () => void;
}

/** Connections of load balancers, which name their clients in a header of the PROXY protocol. */
export class BalancedConnections {
  readonly #options: BalancedConnectionsOptions;
  readonly #log: FailureLog;
  /** Connections whose header is not complete yet. */
  readonly #waiting = new Set<Socket>();

  constructor(options: BalancedConnectionsOptions) {
    this.#options = options;
    this.#log = new FailureLog(options.logger);
  }

  /** Whether a connection begins with a header. */
  includes(socket: Socket): boolean {
    return this.#options.sources.has(canonicalAddress(socket.remoteAddress ?? '') ?? '');
  }

  /**
   * Reads the header, and hands the connection on with the client's bytes. A connection without a valid header is
   * closed without an answer.
   */
  read(socket: Socket, accept: (header: ProxyHeader) => void): void {
    let bytes = Buffer.alloc(0);
    const timer = setTimeout(() => refuse('no complete header in time'), this.#options.headerMs);
    const stop = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
      socket.off('readable', read).off('end', ended).off('close', stop).off('error', ignore);
    };
    const refuse = (reason: string): void => {
      stop();
      socket.on('error', ignore).destroy();
      this.#refused(socket, reason);
    };
    // A load balancer may check a port by a connection without a byte.
    const ended = (): void => {
      if (bytes.length > 0) refuse('the connection ended within its header');
      else socket.destroy();
    };
    const read = (): void => {
      for (let part = socket.read(); part !== null; part = socket.read())
        bytes = Buffer.concat([bytes, part]);
      if (bytes.length === 0) return;
      const header = decoded(bytes);
      if (header instanceof ProxyHeaderFault) refuse(header.message);
      else if (header !== undefined) {
        stop();
        if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
        accept(header);
      }
    };
    this.#waiting.add(socket);
    socket.on('readable', read).on('end', ended).on('close', stop).on('error', ignore);
  }

  /** Closes the connections whose header is not complete. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy();
  }

  #refused({ remoteAddress: peer = '' }: Socket, reason: string): void {
    this.#options.refused();
    this.#log.logFailure(
      peer,
      reason,
      { peer, reason },
      'a load balancer sent no valid PROXY protocol header',
    );
  }
}

function decoded(bytes: Buffer): ProxyHeader | ProxyHeaderFault | undefined {
  try {
    return decodeProxyHeader(bytes);
  } catch (error) {
    if (error instanceof ProxyHeaderFault) return error;
    throw error;
  }
}

function ignore(): void {
  // The close event follows.
}
