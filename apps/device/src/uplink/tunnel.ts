import type { ServerHttp2Session } from 'node:http2';
import { isRevocationPing, TUNNEL_MOVE_PING } from '@heliograph/wire';

export interface TunnelPings {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

export interface TunnelEnd {
  /** In words for the homeowner. */
  readonly reason: string;
  /** Whether the proxy announced the end (GOAWAY); otherwise the tunnel broke. */
  readonly isByProxy: boolean;
}

/** One tunnel, from its handshake on. */
export interface Tunnel {
  /** Settles with whether the proxy took it as a tunnel: from then on requests can come. */
  readonly up: Promise<boolean>;
  /** Settles when the tunnel takes no more requests; requests under way may go on. */
  readonly ended: Promise<TunnelEnd>;
  /** Settles when the connection is gone. */
  readonly closed: Promise<void>;
  /** Whether the proxy asked the device to move to another one. */
  readonly isMoveRequested: boolean;
  /** @param listener called at every time that the proxy asks */
  onMoveRequested(listener: () => void): void;
  /** @param listener called with every ping about revocations, also with the last one of before */
  onRevocationPing(listener: (ping: Buffer) => void): void;
  /**
   * Takes no more requests and closes when those under way have ended. What the proxy sends meanwhile is refused
   * unprocessed, so that it may send it elsewhere.
   */
  leave(): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** How long requests under way may take to end when a tunnel takes no more, in milliseconds. */
const DRAIN_LIMIT_MS = 60_000;

export function tunnelOf(session: ServerHttp2Session, pings: TunnelPings): Tunnel {
  const { promise: up, resolve: settleUp } = Promise.withResolvers<boolean>();
  const { promise: ended, resolve: settleEnd } = Promise.withResolvers<TunnelEnd>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const moveListeners: (() => void)[] = [];
  let isMoveRequested = false;
  const revocationListeners: ((ping: Buffer) => void)[] = [];
  let revocationPing: Buffer | undefined;
  let drainLimit: NodeJS.Timeout | undefined;
  const end = (reason: string, isByProxy = false): void => {
    settleUp(false);
    settleEnd({ reason, isByProxy });
  };
  const limitDrain = (): void => {
    // After a GOAWAY Node sends no pings, and its silence would be taken for the proxy's.
    stopPinging();
    drainLimit ??= setTimeout(() => session.destroy(), DRAIN_LIMIT_MS).unref();
  };
  const stopPinging = pingRegularly(session, pings, () => {
    end('the proxy does not answer');
    session.destroy();
  });
  // Our settings are acknowledged when the proxy has read them: from then on it counts the device as connected.
  session.once('localSettings', () => settleUp(true));
  session.on('ping', (payload) => {
    if (isRevocationPing(payload)) {
      revocationPing = payload;
      for (const listener of revocationListeners) listener(payload);
    }
    if (!TUNNEL_MOVE_PING.equals(payload)) return;
    isMoveRequested = true;
    for (const listener of moveListeners) listener();
  });
  session.on('error', (error) => end(error.message));
  session.on('goaway', () => {
    end('the proxy ends this tunnel', true);
    limitDrain();
  });
  session.on('close', () => {
    stopPinging();
    clearTimeout(drainLimit);
    end('the connection was closed');
    close();
  });
  return {
    up,
    ended,
    closed,
    get isMoveRequested() {
      return isMoveRequested;
    },
    onMoveRequested: (listener) => moveListeners.push(listener),
    onRevocationPing: (listener) => {
      revocationListeners.push(listener);
      if (revocationPing !== undefined) listener(revocationPing);
    },
    leave: () => {
      session.close();
      limitDrain();
    },
    destroy: () => session.destroy(),
  };
}

/** Pings, and reports when an answer does not come in time. @returns what stops it */
function pingRegularly(session: ServerHttp2Session, pings: TunnelPings, onSilence: () => void): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (session.destroyed || deadline !== undefined) return;
    deadline = setTimeout(onSilence, pings.timeoutMs);
    session.ping((error) => {
      if (error !== null) return;
      clearTimeout(deadline);
      deadline = undefined;
    });
  }, pings.intervalMs);
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}
