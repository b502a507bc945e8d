import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { frame } from './http2-carrier/raw-http2-device.ts';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
export const SETTINGS = 4;
export const GOAWAY = 7;

/** A client that has agreed on HTTP/2 over TLS and writes what it likes. */
export class RawHttp2Client {
  readonly socket: TLSSocket;
  /** Resolves when the connection is closed, by either side and in any way. */
  readonly closed: Promise<unknown>;
  #received = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part]);
    });
  }

  /** @param greet whether it begins as it should */
  static async connect(url: string, greet = true): Promise<RawHttp2Client> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), ca: TEST_TLS.cert, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    const client = new RawHttp2Client(inPieces(socket));
    if (greet) socket.write(Buffer.concat([PREFACE, frame(SETTINGS, 0, 0)]));
    return client;
  }

  /** Types and payloads of the frames that came so far. */
  get frames(): { readonly type: number; readonly stream: number; readonly payload: Buffer }[] {
    const frames = [];
    let rest = this.#received;
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3);
      frames.push({ type: rest.readUInt8(3), stream: rest.readUInt32BE(5), payload: rest.subarray(9, end) });
      rest = rest.subarray(end);
    }
    return frames;
  }

  /** Writes without waiting for anything. */
  write(...frames: Buffer[]): void {
    this.socket.write(Buffer.concat(frames));
  }
}
