import type { OutgoingHttpHeaders } from 'node:http';
import { Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';

/** The answer on a stream of HTTP/2, which does what an answer of HTTP/1.1 does. */
export class Http2Response extends Http2ServerResponse {
  override destroyed = false;

  constructor(stream: ServerHttp2Stream) {
    super(stream);
    // Before Node's own listener, after which `destroyed` is read.
    stream.prependOnceListener('close', () => {
      this.destroyed = true;
    });
  }

  /**
   * Sends the head as it is. Node's own way gathers every header in an object first, and what it gathered of a head that
   * cannot be sent would stand in the next.
   *
   * @param headers names and values by turns, or an object
   */
  override writeHead(status: number, headers?: unknown): this {
    const { stream } = this;
    if (stream.destroyed || stream.closed) return this;
    this.statusCode = status;
    if (Array.isArray(headers)) stream.respond([':status', String(status), ...headers]);
    else stream.respond({ ':status': status, ...(headers as OutgoingHttpHeaders) });
    return this;
  }

  /** @param chunk the last bytes, if any; Node's types know no end that may have some */
  override end(chunk?: unknown): this {
    return chunk === undefined ? super.end() : super.end(chunk as string | Buffer);
  }

  /**
   * Resets the stream. Without an error, or by `close`, Node would end it first, which clients take for the answer's
   * end.
   */
  override destroy(): this {
    if (!this.stream.destroyed) this.stream.destroy(new Error('the answer was broken off'));
    return this;
  }
}
