/** Close frame with code 1012, service restart (IANA's WebSocket close codes). */
export const SERVICE_RESTART: Buffer = Buffer.from([0x88, 2, 0x03, 0xf4]);

const MAX_HEAD_BYTES = 14;

/**
 * Follows a WebSocket's bytes from one frame to the next (RFC 6455 section 5.2), so that one of our own can be put
 * between two:
 *
 *     FIN and opcode (8) | MASK (1), length or 126 or 127 (7) | longer length (0, 16 or 64) | mask (0 or 32) | payload
 */
export class FrameBoundary {
  readonly #head = Buffer.alloc(MAX_HEAD_BYTES);
  #headBytes = 0;
  #payloadLeft = 0;

  /** Whether a frame has ended and none begun. */
  get isBetween(): boolean {
    return this.#headBytes === 0 && this.#payloadLeft === 0;
  }

  follow(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#payloadLeft > 0) {
        const skipped = Math.min(this.#payloadLeft, chunk.length - at);
        this.#payloadLeft -= skipped;
        at += skipped;
      } else {
        this.#head[this.#headBytes++] = chunk[at++] ?? 0;
        this.#endHead();
      }
    }
  }

  #endHead(): void {
    if (this.#headBytes < 2) return;
    const second = this.#head[1] ?? 0;
    const length = second & 0x7f;
    const lengthBytes = length === 126 ? 2 : length === 127 ? 8 : 0;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#headBytes < 2 + lengthBytes + maskBytes) return;
    this.#payloadLeft =
      lengthBytes === 0 ? length : Number(BigInt(`0x${this.#head.toString('hex', 2, 2 + lengthBytes)}`));
    this.#headBytes = 0;
  }
}
