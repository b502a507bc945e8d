/**
 * Frames that the two ends of a tunnel send each other, each with a head of eight bytes.
 *
 *     type (8) | length or amount (24) | connection (32) | payload
 *
 * DATA and SIGNAL have a payload of the given length. CREDIT has an amount of bytes. The others have 0 there. SIGNAL and
 * LEAVE have 0 in the place of the connection.
 */
export const FrameType = {
  /** Bytes of a virtual connection. */
  DATA: 0,
  /** There is a new virtual connection. Its number is one more than that of the one before. */
  OPEN: 1,
  /** The sender writes no more on the connection. */
  END: 2,
  /** The connection is gone, and what was under way on it is lost. */
  RESET: 3,
  /** The receiver may send so many bytes more on the connection. */
  CREDIT: 4,
  /** Asks for a sign of life, which carries the same number in the place of the connection's. */
  PING: 5,
  PONG: 6,
  /** A message about the tunnel itself, of eight bytes. */
  SIGNAL: 7,
  /** The sender begins nothing more on this tunnel, and takes nothing more once the other side has sent this too. */
  LEAVE: 8,
} as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

export const HEAD_BYTES = 8;
/** The longest payload of a frame, in bytes. */
export const MAX_PAYLOAD_BYTES = 64 * 1024;
export const SIGNAL_BYTES = 8;

/** @param value length of the payload or amount of credit, below 2^24 */
export function frameHead(type: FrameType, value: number, connection: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(((type << 24) | value) >>> 0, 0);
  head.writeUInt32BE(connection, 4);
  return head;
}

/** The other side does not speak the tunnel's protocol. The message is for the log. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
}

export interface FrameListener {
  /** A frame of data begins. @param bytes its length */
  onDataBegin(connection: number, bytes: number): void;
  /** Bytes of that frame, as they come: it may come in several parts. */
  onData(connection: number, part: Buffer): void;
  onSignal(payload: Buffer): void;
  onFrame(type: FrameType, value: number, connection: number): void;
}

/** Takes a byte stream apart into frames. It keeps at most a head or a signal, and hands data on without a copy. */
export class FrameReader {
  readonly #listener: FrameListener;
  /** An incomplete head, or the payload of a signal. */
  readonly #kept = Buffer.alloc(HEAD_BYTES);
  #keptBytes = 0;
  /** The frame whose payload comes. */
  #type: FrameType = FrameType.DATA;
  #connection = 0;
  #payloadLeft = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** @throws ProtocolFault */
  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#payloadLeft > 0 ? this.#payload(chunk, at) : this.#head(chunk, at);
  }

  #head(chunk: Buffer, from: number): number {
    if (this.#keptBytes === 0 && chunk.length - from >= HEAD_BYTES) {
      this.#begin(chunk.readUInt32BE(from), chunk.readUInt32BE(from + 4));
      return from + HEAD_BYTES;
    }
    const to = this.#keep(chunk, from, HEAD_BYTES);
    if (this.#keptBytes === HEAD_BYTES) {
      this.#keptBytes = 0;
      this.#begin(this.#kept.readUInt32BE(0), this.#kept.readUInt32BE(4));
    }
    return to;
  }

  #begin(first: number, connection: number): void {
    const type = first >>> 24;
    const value = first & 0xffffff;
    if (type === FrameType.DATA) {
      if (value === 0 || value > MAX_PAYLOAD_BYTES) throw new ProtocolFault(`data of ${value} bytes`);
    } else if (type === FrameType.SIGNAL) {
      if (value !== SIGNAL_BYTES) throw new ProtocolFault(`a signal of ${value} bytes`);
    } else if (type > FrameType.LEAVE) throw new ProtocolFault(`a frame of the unknown type ${type}`);
    else if (value !== 0 && type !== FrameType.CREDIT)
      throw new ProtocolFault(`a value in a frame of type ${type}`);
    else {
      this.#listener.onFrame(type as FrameType, value, connection);
      return;
    }
    this.#type = type;
    this.#connection = connection;
    this.#payloadLeft = value;
    if (type === FrameType.DATA) this.#listener.onDataBegin(connection, value);
    else if (connection !== 0) throw new ProtocolFault('a signal of a connection');
  }

  #payload(chunk: Buffer, from: number): number {
    if (this.#type === FrameType.DATA) {
      const to = Math.min(chunk.length, from + this.#payloadLeft);
      this.#payloadLeft -= to - from;
      this.#listener.onData(this.#connection, chunk.subarray(from, to));
      return to;
    }
    const to = this.#keep(chunk, from, SIGNAL_BYTES);
    this.#payloadLeft = SIGNAL_BYTES - this.#keptBytes;
    if (this.#payloadLeft === 0) {
      this.#keptBytes = 0;
      this.#listener.onSignal(Buffer.from(this.#kept));
    }
    return to;
  }

  /** Keeps bytes until there are so many. @returns where the chunk goes on */
  #keep(chunk: Buffer, from: number, bytes: number): number {
    const to = Math.min(chunk.length, from + bytes - this.#keptBytes);
    this.#keptBytes += chunk.copy(this.#kept, this.#keptBytes, from, to);
    return to;
  }
}
