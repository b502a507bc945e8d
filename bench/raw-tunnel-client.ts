import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { type FrameListener, FrameReader, FrameType, frameHead } from '@heliograph/tunnel/frames';
import { TUNNEL_PATH, TUNNEL_PROTOCOL, TUNNEL_UP_SIGNAL } from '@heliograph/wire';

const NOTHING = Buffer.alloc(0);

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
 * An idle device's end of a tunnel, with as little memory and work as can be, so that thousands of them fit beside the
 * proxy that is measured.
 */
export class RawTunnelClient implements FrameListener {
  readonly #options: RawTunnelOptions;
  readonly #socket: Socket;
  readonly #reader = new FrameReader(this);
  /** The answer to the upgrade as far as it has come. */
  #answer: Buffer = NOTHING;
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
    if (this.#status === 101) this.#socket.write(frameHead(FrameType.PING, 0, 0));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  onDataBegin(): void {
    // A proxy sends an idle device no requests.
  }

  onData(): void {
    // A proxy sends an idle device no requests.
  }

  onSignal(payload: Buffer): void {
    if (TUNNEL_UP_SIGNAL.equals(payload)) this.#options.onUp();
  }

  onFrame(type: FrameType, _value: number, number: number): void {
    if (type === FrameType.PING) this.#socket.write(frameHead(FrameType.PONG, 0, number));
    else if (type === FrameType.LEAVE) this.#socket.end();
  }

  #read(part: Buffer): void {
    if (this.#status === 101) {
      this.#reader.read(part);
      return;
    }
    this.#answer = Buffer.concat([this.#answer, part]);
    const end = this.#answer.indexOf('\r\n\r\n');
    if (end < 0) return;
    this.#status = Number(this.#answer.toString('latin1', 9, 12));
    if (this.#status === 101) this.#reader.read(this.#answer.subarray(end + 4));
    else this.#socket.destroy();
    this.#answer = NOTHING;
  }
}
