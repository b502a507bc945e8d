/*
 * A packet of MQTT 3.1.1 (2.2):
 *
 *   type and flags    1 byte
 *   length            1 to 4 bytes of 7 bits, the lowest first; the highest bit is set where another follows
 *   content           so many bytes
 */

/** Follows a stream of packets, of which it reads the lengths alone. */
export class PacketLengths {
  readonly #most: number;
  #place: 'type' | 'length' = 'type';
  #length = 0;
  #scale = 1;
  /** Bytes of content still to come. */
  #rest = 0;

  /** @param most the largest content that is wanted, in bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes the next bytes of the stream. @returns whether a packet begins in them that is too large */
  exceededBy(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; ) {
      const skipped = Math.min(this.#rest, bytes.length - at);
      this.#rest -= skipped;
      at += skipped;
      if (at < bytes.length && this.#isTooLarge(bytes[at++] ?? 0)) return true;
    }
    return false;
  }

  #isTooLarge(byte: number): boolean {
    if (this.#place === 'type') {
      this.#place = 'length';
      this.#length = 0;
      this.#scale = 1;
      return false;
    }
    this.#length += (byte & 0x7f) * this.#scale;
    this.#scale *= 0x80;
    if (byte < 0x80) {
      this.#place = 'type';
      this.#rest = this.#length;
    }
    return this.#length > this.#most;
  }
}
