import type { Alert } from '@heliograph/contracts';
import { type Clock, type Logger, withCurrentTrace } from '@heliograph/kit';
import type { Framing } from '@heliograph/wire';
import type { RawData, WebSocket } from 'ws';
import type { Caller } from '../../access/caller.ts';
import type { Snapshot, SnapshotSource } from '../../poll/snapshot.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import { Change } from './change.ts';
import { Channel } from './channel.ts';
import type { Outlet } from './subscription.ts';

/** Clients reconnect when nothing came for 30 s, and take a value that is not repeated for stale. */
export const REFRESH_INTERVAL_MS = 15_000;

/** Clients send a heartbeat every 30 s and answer pings; one that does neither for this long is gone. */
export const IDLE_LIMIT_MS = 60_000;
const PING_INTERVAL_MS = 25_000;

/** How often the intervals above are looked at. */
const TICK_MS = 1_000;

/** A client that keeps asking and never reads is dropped at this much unread data, in bytes. */
const DROP_ABOVE_BYTES = 4 * 1024 * 1024;

/** Clients at once; beyond it an upgrade is answered 503. */
export const MAX_STREAMS = 5_000;

/** Largest frame of a client, in bytes. */
export const MAX_FRAME_BYTES = 64 * 1024;

/** The alerts of the device, for clients that ask for them. */
export interface AlertFeed {
  open(): readonly Alert[];
  /** Calls the listener with each alert that is raised, acknowledged or cleared. @returns what ends the subscription */
  subscribe(listener: (alert: Alert) => void): () => void;
}

export interface LiveStreamOptions {
  readonly alertFeed: AlertFeed;
  readonly snapshots: SnapshotSource;
  readonly settings: SettingWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface StreamConnection {
  readonly socket: WebSocket;
  readonly channel: Channel;
  lastSeenAt: number;
  pingedAt: number;
  refreshedAt: number;
}

/** The live stream: every connected WebSocket, and what each poll brings them. */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #connections = new Set<StreamConnection>();
  #previous: Snapshot;
  #unsubscribe: (() => void) | undefined;
  #unsubscribeAlerts: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#previous = options.snapshots.current;
  }

  start(): void {
    this.#previous = this.#options.snapshots.current;
    this.#unsubscribe = this.#options.snapshots.subscribe((snapshot) => this.#onSnapshot(snapshot));
    this.#unsubscribeAlerts = this.#options.alertFeed.subscribe((alert) => {
      for (const { channel } of this.#connections) channel.pushAlerts([alert]);
    });
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe?.();
    this.#unsubscribeAlerts?.();
    clearInterval(this.#timer);
    for (const { socket } of this.#connections) {
      socket.close(GOING_AWAY);
      socket.terminate();
    }
  }

  /** How many clients are connected. */
  get size(): number {
    return this.#connections.size;
  }

  /** Serves a WebSocket whose client was let in. @param framing left out: that of its first frame */
  accept(socket: WebSocket, caller: Caller, framing: Framing | undefined): void {
    if (this.#stopped) {
      socket.terminate();
      return;
    }
    const { snapshots, settings, alertFeed, clock, logger } = this.#options;
    const monotonic = () => clock.monotonic();
    const channel = new Channel({
      outlet: outletOf(socket),
      framing,
      caller,
      snapshots,
      settings,
      openAlerts: () => alertFeed.open(),
      monotonic,
      logger,
    });
    const now = monotonic();
    const connection: StreamConnection = {
      socket,
      channel,
      lastSeenAt: now,
      pingedAt: now,
      refreshedAt: now,
    };
    const markSeen = () => {
      connection.lastSeenAt = monotonic();
    };
    this.#connections.add(connection);
    const receive = (data: RawData, isBinary: boolean): void => {
      markSeen();
      // Until the close is answered its frames still come.
      if (!caller.isStillAuthorized()) socket.close(POLICY_VIOLATION, NOT_WELCOME);
      else if (!isBinary) channel.receive(textOf(data));
    };
    socket.on('message', withCurrentTrace(receive));
    socket.on('ping', markSeen);
    socket.on('pong', markSeen);
    socket.on('error', (error) => logger.debug({ err: error }, 'stream client failed'));
    socket.on('close', () => this.#connections.delete(connection));
  }

  /** Looks after every connection once; called every second. */
  tick(): void {
    const now = this.#options.clock.monotonic();
    for (const connection of this.#connections) {
      const { socket, channel } = connection;
      if (now - connection.lastSeenAt >= IDLE_LIMIT_MS) {
        socket.terminate();
        continue;
      }
      if (!channel.caller.isStillAuthorized()) {
        socket.close(POLICY_VIOLATION, NOT_WELCOME);
        continue;
      }
      if (now - connection.pingedAt >= PING_INTERVAL_MS) {
        connection.pingedAt = now;
        socket.ping();
      }
      if (now - connection.refreshedAt >= REFRESH_INTERVAL_MS) {
        connection.refreshedAt = now;
        channel.refresh();
      } else {
        channel.flush();
      }
    }
  }

  #onSnapshot(snapshot: Snapshot): void {
    const change = new Change(this.#previous, snapshot);
    this.#previous = snapshot;
    for (const { channel } of this.#connections) channel.apply(change);
  }
}

/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const NOT_WELCOME = 'What let this client in is no longer valid';

function outletOf(socket: WebSocket): Outlet {
  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(text, sent) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > DROP_ABOVE_BYTES) socket.terminate();
      else socket.send(text, { binary: false }, sent);
    },
  };
}

/** `ws` hands over Buffers unless it is asked for something else. */
function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString();
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data).toString();
}
