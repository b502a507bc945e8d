import { PROTOCOL_ERROR } from './frames.ts';

/** The other side breaks the rules of HTTP/2, and the connection ends. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
  /** The code that the other side gets (RFC 9113 section 7). */
  readonly code: number;

  constructor(what: string, code = PROTOCOL_ERROR) {
    super(`HTTP/2 protocol error: ${what}`);
    this.code = code;
  }
}
