import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { connectInPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';

export interface Http2Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A client that speaks HTTP/2 over TLS, as browsers do. */
export class Http2Client {
  readonly session: ClientHttp2Session;
  readonly #authority: string;

  private constructor(session: ClientHttp2Session, authority: string) {
    this.session = session;
    this.#authority = authority;
    session.on('error', () => undefined);
  }

  /** @param serverName another name to ask for (SNI) than that of the URL; the certificate need not cover it */
  static async connect(url: string, serverName?: string): Promise<Http2Client> {
    const { host, hostname, port } = new URL(url);
    const socket = await connectInPieces(Number(port));
    const name =
      serverName === undefined ? {} : { servername: serverName, checkServerIdentity: () => undefined };
    const tls = connectTls({ socket, host: hostname, ca: TEST_TLS.cert, ALPNProtocols: ['h2'], ...name });
    await once(tls, 'secureConnect');
    const session = connect(url, { createConnection: () => tls });
    await once(session, 'remoteSettings');
    return new Http2Client(session, host);
  }

  /** Opens a stream; it ends at once where there is no body to come. */
  open(path: string, headers: OutgoingHttpHeaders = {}, endStream = true): ClientHttp2Stream {
    const stream = this.session.request(
      { ':method': 'GET', ':path': path, ':authority': this.#authority, ...headers },
      { endStream },
    );
    stream.on('error', () => undefined);
    return stream;
  }

  async send(path: string, headers: OutgoingHttpHeaders = {}, body?: Buffer | string): Promise<Http2Reply> {
    const stream = this.open(path, headers, body === undefined);
    if (body !== undefined) stream.end(body);
    return reply(stream);
  }

  close(): void {
    this.session.destroy();
  }
}

/** @throws Error when the stream ends without a whole answer */
export async function reply(stream: ClientHttp2Stream): Promise<Http2Reply> {
  const headers = Promise.withResolvers<IncomingHttpHeaders & IncomingHttpStatusHeader>();
  stream.once('response', (head) => headers.resolve(head));
  stream.once('close', () => headers.reject(new Error(`the stream was reset with ${stream.rstCode}`)));
  const head = await headers.promise;
  const body = await buffer(stream);
  if (!stream.closed) await once(stream, 'close');
  if (stream.rstCode !== constants.NGHTTP2_NO_ERROR)
    throw new Error(`the stream was reset with ${stream.rstCode}`);
  return { status: head[':status'] ?? 0, headers: head, body };
}
