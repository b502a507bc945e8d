/** Types of frames (RFC 9113 section 6). */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

/** Flags of frames; `ACK` is that of `SETTINGS` and `PING`. */
export const ACK = 0x1;
export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;
export const PADDED = 0x8;
export const PRIORITY = 0x20;

/** Error codes (RFC 9113 section 7). */
export const NO_ERROR = 0;
export const PROTOCOL_ERROR = 1;
export const FLOW_CONTROL_ERROR = 3;
export const FRAME_SIZE_ERROR = 6;
export const REFUSED_STREAM = 7;
export const CANCEL = 8;
export const COMPRESSION_ERROR = 9;
export const ENHANCE_YOUR_CALM = 11;

/** Identifiers of settings (RFC 9113 section 6.5.2, RFC 8441 section 3). */
export const ENABLE_PUSH = 2;
export const MAX_CONCURRENT_STREAMS = 3;
export const INITIAL_WINDOW_SIZE = 4;
export const MAX_HEADER_LIST_SIZE = 6;
export const ENABLE_CONNECT_PROTOCOL = 8;

export const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** Length of the head of a frame in bytes. */
export const FRAME_HEAD_BYTES = 9;
/** Longest payload that either side may send, in bytes: neither asks for more. */
export const MAX_PAYLOAD_BYTES = 16_384;
/** Window of a stream, and of a connection, before settings and updates, in bytes. */
export const DEFAULT_WINDOW_BYTES = 65_535;
export const MAX_WINDOW_BYTES = 0x7fff_ffff;

/**
 * The head of a frame, a character a byte (RFC 9113 section 4.1):
 *
 *     length (24) | type (8) | flags (8) | reserved (1), stream (31)
 */
export function frameHead(length: number, type: number, flags: number, stream: number): string {
  return (
    String.fromCharCode(length >>> 16, (length >>> 8) & 0xff, length & 0xff, type, flags) + uint32(stream)
  );
}

/** Four bytes, big-endian, a character a byte. */
export function uint32(value: number): string {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

/** A whole frame. @param payload a character a byte */
export function frame(type: number, flags: number, stream: number, payload: string): string {
  return frameHead(payload.length, type, flags, stream) + payload;
}

/** A `SETTINGS` frame. @param settings identifiers and values */
export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): string {
  const payload = settings.map(([id, value]) => String.fromCharCode(id >>> 8, id & 0xff) + uint32(value));
  return frame(SETTINGS, 0, 0, payload.join(''));
}
