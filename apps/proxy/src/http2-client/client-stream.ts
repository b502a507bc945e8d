import { Duplex, type DuplexOptions } from 'node:stream';
import { CANCEL, NO_ERROR } from './frames.ts';
import type { ResponseHead } from './response-head.ts';

/** Bytes that are kept for a reader before the window of the stream closes, besides those of the window. */
const READ_AHEAD_BYTES = 16 * 1024;

/** The connection beneath a stream. */
export interface StreamTransport {
  /** Sends what the windows allow. @returns how many bytes that are */
  sendData(stream: ClientStream, chunk: Buffer, from: number): number;
  /** Ends this side of a stream. */
  sendEnd(stream: ClientStream): void;
  /** Calls back when the connection takes more bytes. @returns false when it does now */
  awaitDrain(callback: () => void): boolean;
  /** The reader took bytes, for which there is room again. */
  consumed(stream: ClientStream, bytes: number): void;
  /** The stream is gone. @param code the reset that the other side needs; undefined if it knows */
  released(stream: ClientStream, code: number | undefined): void;
}

/**
 * One request and its answer. `response` comes with the head of the answer ({@link ResponseHead}); the body is read and
 * written as that of any duplex stream. It fails without an `error`: `close` comes without an `end`, and `rstCode` is the
 * reason.
 */
export class ClientStream extends Duplex {
  /** Its number; 0 as long as the request waits for others to end. */
  id = 0;
  /** Code of the reset that ended it, by either side (RFC 9113 section 7). */
  rstCode = NO_ERROR;
  /** Bytes that the other side takes yet; negative after it has lowered its window. */
  sendWindow = 0;
  /** Bytes that the other side may send yet. */
  receiveWindow = 0;
  /** Bytes that were read, of which the other side does not know yet. */
  readBytes = 0;
  /** Bytes of the body that are yet to come; undefined if unknown. */
  bodyBytesLeft: number | undefined;
  isAnswered = false;
  /** Whether the other side has ended its part. */
  isRemoteEnded = false;
  /** Whether both sides know that the stream is over. */
  isReset = false;
  readonly #transport: StreamTransport;
  /** Bytes in the buffer of the reader, for which there is no room yet. */
  #unread = 0;
  #pending: PendingWrite | undefined;

  constructor(transport: StreamTransport, withBody: boolean) {
    // The types of Node leave `writable` out.
    super({ writable: withBody, readableHighWaterMark: READ_AHEAD_BYTES } as DuplexOptions);
    this.#transport = transport;
  }

  /** Takes the request back; the other side must not take a part of its body for the whole. */
  cancel(code = CANCEL): void {
    if (this.destroyed) return;
    this.rstCode = code;
    this.destroy();
  }

  /** The other side reset the stream, or the connection is gone. */
  reset(code: number): void {
    if (this.isReset) return;
    this.isReset = true;
    // Node's server ends an answer without a declared length by a reset at times.
    const isWhole = this.isRemoteEnded || (this.isAnswered && (this.bodyBytesLeft ?? 0) === 0);
    if (code !== NO_ERROR || !isWhole) {
      this.rstCode = code;
      this.destroy();
      return;
    }
    if (!this.isRemoteEnded) this.receiveEnd();
    this.#endQuietly();
  }

  receiveHead(head: ResponseHead): void {
    this.isAnswered = true;
    this.emit('response', head);
  }

  /** A part of the answer's body came. */
  receive(chunk: Buffer): void {
    if (this.destroyed) this.#transport.consumed(this, chunk.length);
    else if (this.push(chunk)) this.#transport.consumed(this, chunk.length);
    else this.#unread += chunk.length;
  }

  /** The answer is whole. */
  receiveEnd(): void {
    this.isRemoteEnded = true;
    this.push(null);
  }

  /** The windows may have grown. */
  sendPending(): void {
    const pending = this.#pending;
    if (pending === undefined || this.id === 0) return;
    const { chunk, callback } = pending;
    if (chunk !== undefined) {
      pending.sent += this.#transport.sendData(this, chunk, pending.sent);
      if (pending.sent < chunk.length) return;
    } else this.#transport.sendEnd(this);
    this.#pending = undefined;
    if (!this.#transport.awaitDrain(callback)) callback();
  }

  override _read(): void {
    if (this.#unread === 0) return;
    const bytes = this.#unread;
    this.#unread = 0;
    this.#transport.consumed(this, bytes);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    // The other side has reset the stream and answered: the rest of the body is of no use to it.
    if (this.isReset) callback();
    else {
      this.#pending = { chunk, sent: 0, callback };
      this.sendPending();
    }
  }

  override _final(callback: () => void): void {
    if (this.isReset) callback();
    else {
      this.#pending = { chunk: undefined, sent: 0, callback };
      this.sendPending();
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#pending = undefined;
    if (this.#unread > 0) this.#transport.consumed(this, this.#unread);
    const isKnown = this.isReset || (this.isRemoteEnded && this.writableFinished);
    this.isReset = true;
    this.#transport.released(this, isKnown ? undefined : this.rstCode || CANCEL);
    callback(error);
  }

  /** The other side wants no more of the body, and the answer is read to its end. */
  #endQuietly(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (this.writableFinished) return;
    this.end();
    pending?.callback();
  }
}

interface PendingWrite {
  /** Undefined: the end of the body. */
  readonly chunk: Buffer | undefined;
  /** Bytes of the chunk that are sent. */
  sent: number;
  readonly callback: () => void;
}
