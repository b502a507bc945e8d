import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '@heliograph/wire';

export interface RawTunnelOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly localAddress: string;
  /** Trusted certificates of a proxy with TLS; undefined: plain TCP. */
  readonly secureContext: SecureContext | undefined;
  /** The proxy's machine took the connection. */
  readonly onConnected?: () => void;
  /** The proxy took the tunnel. */
  readonly onUp: () => void;
  /** It ended, or never began; with the status where the proxy refused it. Called once. */
  readonly onEnd: (status: number | undefined) => void;
}

/**
 * HTTP/2 frames (RFC 9113 section 4.1: length (24) | type (8) | flags (8) | stream (32) | payload) that an idle
 * device sends: its settings, with ENABLE_CONNECT_PROTOCOL, and the acknowledgement of the proxy's.
 */
const SETTINGS = Buffer.from('000006040000000000000800000001', 'hex');
const SETTINGS_ACK = Buffer.from('000000040100000000', 'hex');
const PING = Buffer.from('0000080600000000000000000000000000', 'hex');
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const TYPE_SETTINGS = 4;
const TYPE_PING = 6;
const TYPE_GOAWAY = 7;
const FLAG_ACK = 1;

/**
 * An idle device's end of a tunnel, with as little memory and work as can be: 5,000 of Node's HTTP/2 sessions would cost
 * more than the proxy that is measured.
 */
export class RawTunnelClient {
  readonly #options: RawTunnelOptions;
  readonly #socket: Socket;
  /** Received bytes of an incomplete message. */
  #rest: Buffer = Buffer.alloc(0);
  #status: number | undefined;

  constructor(options: RawTunnelOptions) {
    const { host, port, localAddress, secureContext, token, onEnd } = options;
    this.#options = options;
    const tcp = connect({ host, port, localAddress });
    this.#socket =
      secureContext === undefined ? tcp : connectTls({ socket: tcp, secureContext, servername: 'localhost' });
    const request = [`GET ${TUNNEL_PATH} HTTP/1.1`, `host: ${host}`, 'connection: Upgrade'];
    request.push(`upgrade: ${TUNNEL_PROTOCOL}`, `authorization: Bearer ${token}`, '', '');
    tcp.setNoDelay(true);
    tcp.once('connect', () => options.onConnected?.());
    this.#socket.write(request.join('\r\n'));
    this.#socket.on('data', (part: Buffer) => this.#read(part));
    this.#socket.on('error', () => undefined);
    this.#socket.once('end', () => this.#socket.destroy());
    this.#socket.once('close', () => onEnd(this.#status === 101 ? undefined : this.#status));
  }

  /** As a device does now and then. */
  ping(): void {
    if (this.#status === 101) this.#socket.write(PING);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(part: Buffer): void {
    this.#rest = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    if (this.#status === undefined && !this.#readAnswer()) return;
    while (this.#rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) return;
      this.#onFrame(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
    }
    // A part of a chunk would keep the whole chunk in memory.
    if (this.#rest.length > 0) this.#rest = Buffer.from(this.#rest);
  }

  /** The answer to the upgrade, then the client preface. @returns whether both are there */
  #readAnswer(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const status = Number(this.#rest.toString('latin1', 9, 12));
    if (status !== 101) {
      this.#status = status;
      this.#socket.destroy();
      return false;
    }
    if (this.#rest.length < end + 4 + PREFACE_BYTES) return false;
    this.#status = status;
    this.#rest = this.#rest.subarray(end + 4 + PREFACE_BYTES);
    this.#socket.write(SETTINGS);
    this.#options.onUp();
    return true;
  }

  #onFrame(frame: Buffer): void {
    const isAck = ((frame[4] ?? 0) & FLAG_ACK) !== 0;
    if (frame[3] === TYPE_SETTINGS && !isAck) this.#socket.write(SETTINGS_ACK);
    else if (frame[3] === TYPE_PING && !isAck) this.#pong(frame);
    else if (frame[3] === TYPE_GOAWAY) this.#socket.end();
  }

  #pong(ping: Buffer): void {
    const answer = Buffer.from(ping);
    answer[4] = FLAG_ACK;
    this.#socket.write(answer);
  }
}
