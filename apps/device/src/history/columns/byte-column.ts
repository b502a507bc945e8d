/** Writes whole numbers one after the other, each in as few bytes as it needs (LEB128; negatives in zigzag). */
export class ByteWriter {
  #bytes = new Uint8Array(128);
  #length = 0;

  /** @param value a whole number from 0 to 2^53 - 1 */
  unsigned(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#push(rest);
  }

  /** @param value a whole number from -2^52 to 2^52 - 1 */
  signed(value: number): void {
    this.unsigned(zigzag(value));
  }

  /** A copy of what was written so far. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}

/** Bytes that no {@link ByteWriter} wrote: the file is damaged. */
export class DamagedColumn extends RangeError {}

/** Reads what a {@link ByteWriter} wrote. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** @throws DamagedColumn when the bytes end before the number does, or it is too large */
  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new DamagedColumn('the column is cut off');
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER)
        throw new DamagedColumn('the column has a number that is too large');
      if (byte < 0x80) return value;
    }
  }

  /** @throws DamagedColumn as {@link unsigned} does */
  signed(): number {
    return unzigzag(this.unsigned());
  }
}

/** 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4: small numbers of either sign stay small. */
export function zigzag(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
