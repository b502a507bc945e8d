import { Duplex } from 'node:stream';
import { FrameType } from './frames.ts';
import type { Multiplexer } from './multiplexer.ts';

/** How many bytes each end may send on a new connection before the other has read some. */
export const WINDOW_BYTES = 64 * 1024;
/** The least credit that a frame of data takes, in bytes: a frame takes memory of its own until it is read. */
export const MIN_CHARGE_BYTES = 256;
/** Longest piece that goes in one frame, in bytes, so that connections take turns where the one beneath is slow. */
const MAX_PIECE_BYTES = 32 * 1024;
/** So much is read before the other side is given credit for it. */
export const CREDIT_BYTES = WINDOW_BYTES / 2;

/** The connection was reset by the other end, or its tunnel is gone. */
class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  // Not the system's: undici takes that one for the end of an answer without a length.
  readonly code = 'ERR_TUNNEL_RESET';
}

/**
 * One of many connections on a tunnel, which programs that expect a socket take for one. Each direction has its own end,
 * and its own credit: bytes that the sender may send before the reader has read some.
 */
export class VirtualConnection extends Duplex {
  readonly multiplexer: Multiplexer;
  readonly #id: number;
  /** Bytes that may be sent. */
  #credit = WINDOW_BYTES;
  /** Bytes that the other side may send. */
  #granted = WINDOW_BYTES;
  /** Credit that was taken since some was granted last. */
  #uncredited = 0;
  /** The write that waits for credit. */
  #waiting: { readonly rest: Buffer; readonly done: () => void } | undefined;
  #isEndReceived = false;
  #isEndSent = false;

  /** For the multiplexer alone. */
  constructor(multiplexer: Multiplexer, id: number) {
    super({ allowHalfOpen: true, readableHighWaterMark: CREDIT_BYTES, writableHighWaterMark: CREDIT_BYTES });
    this.multiplexer = multiplexer;
    this.#id = id;
    // After an upgrade it may have no other listener, and a reset would end the process.
    this.on('error', ignore);
  }

  get remoteAddress(): string | undefined {
    return this.multiplexer.remoteAddress;
  }

  /** Servers and clients of HTTP expect it; the multiplexer has no timer for a connection. */
  setTimeout(_ms: number): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Ends it when what was written has gone, and drops what still comes: a reset could overtake the end of an answer. */
  destroySoon(): void {
    this.end();
    this.resume();
  }

  /** A frame of data begins. @returns false when the other side has no credit for it, or has ended */
  charge(bytes: number): boolean {
    const charged = chargeOf(bytes);
    this.#granted -= charged;
    this.#uncredited += charged;
    return this.#granted >= 0 && !this.#isEndReceived;
  }

  receive(part: Buffer): void {
    // A part keeps the whole chunk that it came in. One for each connection may.
    this.push(this.readableLength > 0 && part.length < part.buffer.byteLength / 4 ? copyOf(part) : part);
  }

  /** @returns false when it had ended already */
  receiveEnd(): boolean {
    if (this.#isEndReceived) return false;
    this.#isEndReceived = true;
    this.push(null);
    return true;
  }

  /** @returns false when the other side grants less at a time than an end does, or more than the window */
  receiveCredit(bytes: number): boolean {
    this.#credit += bytes;
    if (bytes < CREDIT_BYTES || this.#credit > WINDOW_BYTES) return false;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      this.#sendRest(waiting.rest, waiting.done);
    }
    return true;
  }

  /** The other side reset it, or the tunnel is gone. An answer that came whole before can still be read. */
  receiveReset(reason: string): void {
    const isWhole = this.#isEndReceived && !this.readableEnded;
    this.#isEndReceived = true;
    this.#isEndSent = true;
    if (isWhole) {
      this.multiplexer.remove(this.#id);
      this.once('end', () => this.destroy());
    } else this.destroy(new ConnectionReset(reason));
  }

  override _read(): void {
    if (this.#uncredited < CREDIT_BYTES || this.#isEndReceived) return;
    this.multiplexer.send(FrameType.CREDIT, this.#uncredited, this.#id);
    this.#granted += this.#uncredited;
    this.#uncredited = 0;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send([chunk], done);
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: () => void): void {
    if (!this.#isEndSent) this.multiplexer.send(FrameType.END, 0, this.#id);
    this.#isEndSent = true;
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#waiting = undefined;
    const isEnded = this.#isEndReceived && this.#isEndSent;
    if (!isEnded) this.multiplexer.send(FrameType.RESET, 0, this.#id);
    this.multiplexer.remove(this.#id);
    done(error);
  }

  /** Sends as much as there is credit for, at the pace of the connection beneath; the rest waits. */
  #send(parts: readonly Buffer[], done: () => void): void {
    let bytes = 0;
    for (const part of parts) bytes += part.length;
    if (bytes === 0 || this.#isEndSent) done();
    else if (chargeOf(bytes) <= this.#credit && bytes <= MAX_PIECE_BYTES) {
      this.#sendPiece(parts, bytes);
      this.multiplexer.whenWritable(done);
    } else this.#sendRest(Buffer.concat(parts, bytes), done);
  }

  #sendRest(buffer: Buffer, done: () => void): void {
    let rest = buffer;
    while (rest.length > 0 && this.#credit >= MIN_CHARGE_BYTES && this.multiplexer.isWritable) {
      const bytes = Math.min(rest.length, this.#credit, MAX_PIECE_BYTES);
      this.#sendPiece([rest.subarray(0, bytes)], bytes);
      rest = rest.subarray(bytes);
    }
    if (rest.length === 0) this.multiplexer.whenWritable(done);
    else if (this.#credit < MIN_CHARGE_BYTES) this.#waiting = { rest, done };
    else this.multiplexer.whenWritable(() => !this.destroyed && this.#sendRest(rest, done));
  }

  #sendPiece(parts: readonly Buffer[], bytes: number): void {
    this.#credit -= chargeOf(bytes);
    this.multiplexer.sendData(this.#id, parts, bytes);
  }
}

/** The credit that a frame of data takes. */
function chargeOf(bytes: number): number {
  return Math.max(bytes, MIN_CHARGE_BYTES);
}

/** A copy with memory of its own, which Node's pool would share with others. */
function copyOf(part: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(part.length);
  part.copy(copy);
  return copy;
}

function ignore(): void {
  // The close event, which always follows, reports the failure.
}
