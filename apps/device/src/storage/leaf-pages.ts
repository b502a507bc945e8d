/*
 * A page of rows in a SQLite file (https://www.sqlite.org/fileformat2.html, "B-tree Pages"):
 *
 *   1 byte   13: rows of a table
 *   2 bytes  first free block
 *   2 bytes  number of cells
 *   3 bytes  of no concern here
 *   2 bytes  offset of each cell
 *
 *   cell     bytes of the record, row id, record
 *   record   bytes of the header, type of each column, values
 *
 * Lengths, row ids and types are varints: seven bits a byte, the first ones first, the last byte below 128.
 */

const LEAF = 13;
const HEADER_BYTES = 8;

/** The bytes of integers by the type of their column. */
const INTEGER_BYTES: readonly number[] = [0, 1, 2, 3, 4, 6, 8];

/** A row whose columns are integers or null, beginning with its row id. */
export type IntegerRow = readonly (number | null)[];

/**
 * Finds the rows of a table of integers in the pages of a file, without the pages that lead there. A page whose bytes
 * changed gives those of its rows that can still be read.
 *
 * @param columns of the table, of which the first is the row id
 */
export function* integerRows(file: Buffer, pageSize: number, columns: number): Generator<IntegerRow> {
  for (let start = 0; start + pageSize <= file.length; start += pageSize) {
    const page = file.subarray(start, start + pageSize);
    const cells = page.readUInt16BE(3);
    if (page[0] !== LEAF || HEADER_BYTES + 2 * cells > pageSize) continue;
    for (let cell = 0; cell < cells; cell++) {
      const row = rowAt(page, page.readUInt16BE(HEADER_BYTES + 2 * cell), columns);
      if (row !== undefined) yield row;
    }
  }
}

function rowAt(page: Buffer, offset: number, columns: number): IntegerRow | undefined {
  const reader = new PageReader(page, offset);
  try {
    const size = reader.varint();
    const id = reader.varint();
    const begin = reader.at;
    const typesEnd = begin + reader.varint();
    const types: number[] = [];
    while (reader.at < typesEnd) types.push(reader.varint());
    if (types.length !== columns || reader.at !== typesEnd || begin + size > page.length) return undefined;
    const values = types.map((type) => reader.integer(type));
    if (values.includes(undefined) || reader.at !== begin + size || values[0] !== null) return undefined;
    return [id, ...values.slice(1).map((value) => value ?? null)];
  } catch (error) {
    // The page ends before the row does.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class PageReader {
  readonly #page: Buffer;
  at: number;

  constructor(page: Buffer, at: number) {
    this.#page = page;
    this.at = at;
  }

  varint(): number {
    let value = 0n;
    for (let count = 0; count < 8; count++) {
      const byte = this.#page.readUInt8(this.at++);
      value = (value << 7n) | BigInt(byte & 0x7f);
      if (byte < 0x80) return Number(value);
    }
    value = (value << 8n) | BigInt(this.#page.readUInt8(this.at++));
    return Number(BigInt.asIntN(64, value));
  }

  /** @returns null for NULL; undefined for a type that is not an integer, and for numbers that are not exact */
  integer(type: number): number | null | undefined {
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    const size = INTEGER_BYTES[type];
    if (size === undefined) return undefined;
    const bytes = this.#page.subarray(this.at, this.at + size);
    this.at += size;
    if (bytes.length < size) throw new RangeError('the row is cut off');
    const value = size === 8 ? Number(bytes.readBigInt64BE()) : bytes.readIntBE(0, size);
    return Number.isSafeInteger(value) ? value : undefined;
  }
}
