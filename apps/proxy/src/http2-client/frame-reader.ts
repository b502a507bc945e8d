import {
  CONTINUATION,
  END_HEADERS,
  ENHANCE_YOUR_CALM,
  FRAME_HEAD_BYTES,
  FRAME_SIZE_ERROR,
  HEADERS,
  MAX_PAYLOAD_BYTES,
  PADDED,
  PRIORITY,
  SETTINGS,
} from './frames.ts';
import { ProtocolViolation } from './protocol-violation.ts';

/** Frames of one header block. */
const MAX_CONTINUATIONS = 64;
/** Bytes that the dependency and the weight of a stream take, which are ignored. */
const PRIORITY_BYTES = 5;
const EMPTY = Buffer.alloc(0);

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Without padding. */
  readonly payload: Buffer;
  /** Bytes on the connection without the head: what counts for the windows. */
  readonly bytes: number;
}

/** A header block that is not complete yet. */
interface OpenBlock {
  readonly flags: number;
  readonly stream: number;
  readonly parts: Buffer[];
  bytes: number;
}

/** Cuts the bytes of a connection into frames, the first of which must be `SETTINGS`, and joins those of a header block. */
export class FrameReader {
  readonly #maxBlockBytes: number;
  #rest: Buffer = EMPTY;
  #block: OpenBlock | undefined;
  #hasBegun = false;

  /** @param maxBlockBytes longest header block */
  constructor(maxBlockBytes: number) {
    this.#maxBlockBytes = maxBlockBytes;
  }

  /**
   * @param onFrame called with each complete frame; the payload is a part of what was read. @returns whether to go on
   * @throws ProtocolViolation, also what `onFrame` throws
   */
  read(chunk: Buffer, onFrame: (frame: Frame) => boolean): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = EMPTY;
    let at = 0;
    while (bytes.length - at >= FRAME_HEAD_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      const type = bytes[at + 3] ?? 0;
      if (!this.#hasBegun && type !== SETTINGS)
        throw new ProtocolViolation('it does not begin with settings');
      if (length > MAX_PAYLOAD_BYTES) throw new ProtocolViolation('a frame is too long', FRAME_SIZE_ERROR);
      const end = at + FRAME_HEAD_BYTES + length;
      if (end > bytes.length) break;
      this.#hasBegun = true;
      const flags = bytes[at + 4] ?? 0;
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      const payload = bytes.subarray(at + FRAME_HEAD_BYTES, end);
      at = end;
      const frame = this.#completed({ type, flags, stream, payload, bytes: length });
      if (frame !== undefined && !onFrame(frame)) return;
    }
    // A view of the chunk would keep all of it in memory.
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }

  /** @returns undefined for a part of a header block that is not the last */
  #completed(frame: Frame): Frame | undefined {
    const { type, flags, stream } = frame;
    const block = this.#block;
    if ((block !== undefined) !== (type === CONTINUATION) || (block?.stream ?? stream) !== stream) {
      throw new ProtocolViolation('a header block is interrupted, or goes on without a beginning');
    }
    const payload = block === undefined ? withoutPadding(frame) : frame.payload;
    if (type !== HEADERS && block === undefined)
      return payload === frame.payload ? frame : { ...frame, payload };
    const isLast = (flags & END_HEADERS) !== 0;
    if (block === undefined) {
      if (isLast) return { ...frame, payload };
      this.#block = { flags, stream, parts: [Buffer.from(payload)], bytes: payload.length };
      return undefined;
    }
    block.parts.push(Buffer.from(payload));
    block.bytes += payload.length;
    if (block.bytes > this.#maxBlockBytes || block.parts.length > MAX_CONTINUATIONS) {
      throw new ProtocolViolation('a header block is too long', ENHANCE_YOUR_CALM);
    }
    if (!isLast) return undefined;
    this.#block = undefined;
    return { type: HEADERS, flags: block.flags, stream, payload: Buffer.concat(block.parts), bytes: 0 };
  }
}

/** The payload of `DATA` or `HEADERS` without padding and priority; that of other frames as it is. */
function withoutPadding({ type, flags, payload }: Frame): Buffer {
  if (type > HEADERS) return payload;
  const hasPriority = type === HEADERS && (flags & PRIORITY) !== 0;
  const isPadded = (flags & PADDED) !== 0;
  if (!hasPriority && !isPadded) return payload;
  const start = (isPadded ? 1 : 0) + (hasPriority ? PRIORITY_BYTES : 0);
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (end < start) throw new ProtocolViolation('a frame has more padding than bytes');
  return payload.subarray(start, end);
}
