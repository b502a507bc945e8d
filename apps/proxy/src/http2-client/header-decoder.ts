import { COMPRESSION_ERROR } from './frames.ts';
import { STATIC_TABLE } from './hpack-tables.ts';
import { decodeHuffman } from './huffman.ts';
import { ProtocolViolation } from './protocol-violation.ts';

/** Size of the table of recent fields, in bytes: the default, which this side leaves. */
const MAX_TABLE_BYTES = 4_096;
/** The size of a field besides its name and value, in bytes (RFC 7541 section 4.1). */
const FIELD_OVERHEAD_BYTES = 32;

interface Field {
  readonly name: string;
  readonly value: string;
}

const STATIC_FIELDS: readonly Field[] = STATIC_TABLE.map(([name, value]) => ({ name, value }));

/** A header block that does not decode, after which no later one does. */
function invalid(what: string): ProtocolViolation {
  return new ProtocolViolation(`a header block has ${what}`, COMPRESSION_ERROR);
}

/** Decodes the header blocks of one connection (RFC 7541). */
export class HeaderDecoder {
  /** Recent fields, the newest last. */
  readonly #recent: Field[] = [];
  #tableBytes = 0;
  #maxTableBytes = MAX_TABLE_BYTES;
  #block: Buffer = EMPTY;
  #at = 0;

  /**
   * Decodes a block, each of which must pass through here, since later ones may refer to its fields.
   *
   * @returns names and values by turns, a character a byte
   * @throws ProtocolViolation
   */
  decode(block: Buffer): string[] {
    this.#block = block;
    this.#at = 0;
    const out: string[] = [];
    while (this.#at < block.length) {
      const first = block[this.#at] ?? 0;
      if (first & 0x80) {
        const { name, value } = this.#field(this.#integer(7));
        out.push(name, value);
      } else if (first & 0x40) {
        const field = this.#literal(6);
        this.#remember(field);
        out.push(field.name, field.value);
      } else if (first & 0x20) {
        if (out.length > 0) throw invalid('a change of the table within a block');
        this.#resize(this.#integer(5));
      } else {
        const { name, value } = this.#literal(4);
        out.push(name, value);
      }
    }
    this.#block = EMPTY;
    return out;
  }

  /** A name, by number or as text, and a text as its value. */
  #literal(prefixBits: number): Field {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#text() : this.#field(index).name;
    return { name, value: this.#text() };
  }

  #field(index: number): Field {
    const field =
      index <= STATIC_FIELDS.length
        ? STATIC_FIELDS[index - 1]
        : this.#recent[this.#recent.length - (index - STATIC_FIELDS.length)];
    if (field === undefined) throw invalid('a reference to no field');
    return field;
  }

  /** An integer whose first bits end the current byte (RFC 7541 section 5.1). */
  #integer(prefixBits: number): number {
    const limit = (1 << prefixBits) - 1;
    let value = this.#byte() & limit;
    if (value < limit) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw invalid('a number that is too large');
  }

  #text(): string {
    const isHuffman = ((this.#block[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#at;
    const end = start + length;
    if (end > this.#block.length) throw invalid('a text that does not end');
    this.#at = end;
    if (!isHuffman) return this.#block.toString('latin1', start, end);
    const text = decodeHuffman(this.#block, start, end);
    if (text === undefined) throw invalid('a text in no valid code');
    return text;
  }

  #byte(): number {
    const byte = this.#block[this.#at++];
    if (byte === undefined) throw invalid('a number that does not end');
    return byte;
  }

  #remember(field: Field): void {
    this.#recent.push(field);
    this.#tableBytes += sizeOf(field);
    this.#evict();
  }

  #resize(bytes: number): void {
    if (bytes > MAX_TABLE_BYTES) throw invalid('a table that is too large');
    this.#maxTableBytes = bytes;
    this.#evict();
  }

  #evict(): void {
    while (this.#tableBytes > this.#maxTableBytes) {
      const oldest = this.#recent.shift();
      if (oldest === undefined) break;
      this.#tableBytes -= sizeOf(oldest);
    }
  }
}

const EMPTY = Buffer.alloc(0);

function sizeOf({ name, value }: Field): number {
  return name.length + value.length + FIELD_OVERHEAD_BYTES;
}
