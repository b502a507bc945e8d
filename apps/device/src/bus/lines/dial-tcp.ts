import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface TcpPlace {
  readonly host: string;
  readonly port: number;
  /** How long it may take to connect, in milliseconds. */
  readonly connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 3_000;

/** How long a connection may be idle before TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;

/** @throws Error when there is no connection in time, or when the signal aborts */
export async function dialTcp(place: TcpPlace, closing: AbortSignal): Promise<Socket> {
  const { host, port, connectTimeoutMs = CONNECT_TIMEOUT_MS } = place;
  const socket = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  // Every error is followed by `close`, which the link listens to.
  socket.on('error', () => {});
  const tooLate = AbortSignal.timeout(connectTimeoutMs);
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([closing, tooLate]) });
    return socket;
  } catch (error) {
    socket.destroy();
    if (tooLate.aborted) throw new Error(`no connection within ${connectTimeoutMs} ms`, { cause: error });
    throw error;
  }
}
