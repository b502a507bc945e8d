import { type ClientHttp2Session, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { messageOf } from '@heliograph/kit';
import { TUNNEL_MOVE_PING, type TunnelTicket } from '@heliograph/wire';
import { TunnelLink } from './tunnel-link.ts';

/**
 * Streams that a device takes at a time; more would be queued. The limits of each site are lower, unless
 * they are configured otherwise.
 */
const MAX_STREAMS_PER_DEVICE = 10_000;

export interface DeviceSessionOptions {
  /** The verified tunnel token of the device. */
  readonly ticket: TunnelTicket;
  readonly http2: ClientHttp2Session;
  /** The connection beneath the HTTP/2 session. */
  readonly socket: Socket;
}

export interface DeviceSessionListener {
  /** The device sent GOAWAY; it finishes the requests it has. */
  left(session: DeviceSession): void;
  /** The connection is gone, in whichever way. @param reason in words for the log */
  closed(session: DeviceSession, reason: string): void;
}

/** One connected device: the proxy is the HTTP/2 client on the connection that the device dialled. */
export class DeviceSession extends TunnelLink {
  readonly ticket: TunnelTicket;
  /** Why it ends, as far as is known. */
  #reason: string | undefined;

  /** @param listener one for all sessions, of which there may be tens of thousands */
  constructor({ ticket, http2, socket }: DeviceSessionOptions, listener: DeviceSessionListener) {
    super(http2, socket);
    this.ticket = ticket;
    http2.on('goaway', (code: number) => {
      if (code === constants.NGHTTP2_NO_ERROR) listener.left(this);
    });
    http2.on('error', (error) => {
      this.#reason ??= messageOf(error);
    });
    http2.on('close', () => listener.closed(this, this.#reason ?? 'the device closed the connection'));
  }

  get uid(): string {
    return this.ticket.uid;
  }

  get siteId(): number {
    return this.ticket.siteId;
  }

  get isSaturated(): boolean {
    return this.openStreams >= MAX_STREAMS_PER_DEVICE;
  }

  /** Asks the device to dial another proxy; until it has, it goes on here. */
  requestMove(): void {
    this.ping(TUNNEL_MOVE_PING);
  }

  /** Lets the device see whether it knows what was revoked of its site. @param ping of `Revocations` */
  sendRevocations(ping: Buffer | undefined): void {
    if (ping !== undefined) this.ping(ping);
  }

  protected override onEnd(reason: string): void {
    this.#reason = reason;
  }
}
