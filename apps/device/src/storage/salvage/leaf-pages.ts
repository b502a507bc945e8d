/*
 * A page of rows in a SQLite file (https://www.sqlite.org/fileformat2.html, "B-tree Pages"):
 *
 *   1 byte   13: rows of a table
 *   2 bytes  first free block
 *   2 bytes  number of cells
 *   2 bytes  offset of the first byte of cells and free blocks
 *   1 byte   bytes between these that are neither
 *   2 bytes  offset of each cell
 *
 *   cell     bytes of the record, row id, record
 *   record   bytes of the header, type of each column, values
 *   free     2 bytes offset of the next free block or 0, 2 bytes size
 *
 * Lengths, row ids and types are varints: seven bits a byte, the first ones first, the last byte below 128.
 */

const LEAF = 13;
const HEADER_BYTES = 8;

/** A page that leads to others: page number and largest row id of each, and after the header's 8 bytes the last page. */
const INTERIOR = 5;
const INTERIOR_HEADER_BYTES = 12;

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

/** Row ids above the first one, until the second one; null: without a bound. */
export interface RowIdRange {
  readonly after: number | null;
  readonly until: number | null;
}

/**
 * Finds where rows of a table of integers may be missing: SQLite reads past a page whose header has fewer rows than were
 * written.
 *
 * @param root number of the table's first page, from 1
 */
export function* damagedRanges(
  file: Buffer,
  pageSize: number,
  columns: number,
  root: number,
  range: RowIdRange = { after: null, until: null },
  seen = new Set<number>(),
): Generator<RowIdRange> {
  const page = file.subarray((root - 1) * pageSize, root * pageSize);
  const isPage = root > 0 && page.length === pageSize && !seen.has(root);
  seen.add(root);
  const children = isPage && page[0] === INTERIOR ? childrenOf(page, range) : undefined;
  if (children !== undefined)
    for (const child of children) yield* damagedRanges(file, pageSize, columns, child.page, child, seen);
  else if (!isPage || !isWholeLeaf(page, columns, range)) yield range;
}

interface ChildPage extends RowIdRange {
  readonly page: number;
}

/** @returns undefined for a page whose row ids do not rise within the range */
function childrenOf(page: Buffer, { after, until }: RowIdRange): readonly ChildPage[] | undefined {
  const cells = page.readUInt16BE(3);
  if (cells === 0 || INTERIOR_HEADER_BYTES + 2 * cells > page.length) return undefined;
  const children: ChildPage[] = [];
  let last = after;
  for (let cell = 0; cell < cells; cell++) {
    const offset = page.readUInt16BE(INTERIOR_HEADER_BYTES + 2 * cell);
    if (offset + 5 > page.length) return undefined;
    const id = new PageReader(page, offset + 4).varint();
    if ((last !== null && id <= last) || (until !== null && id >= until)) return undefined;
    children.push({ page: page.readUInt32BE(offset), after: last, until: id });
    last = id;
  }
  return [...children, { page: page.readUInt32BE(HEADER_BYTES), after: last, until }];
}

/** Whether a page has rows alone, in order and within the range. */
function isWholeLeaf(page: Buffer, columns: number, { after, until }: RowIdRange): boolean {
  const cells = page.readUInt16BE(3);
  if (page[0] !== LEAF || HEADER_BYTES + 2 * cells > page.length) return false;
  // The only page of a table may have none.
  if (cells === 0) return after === null && until === null;
  let last = after;
  let bytes = 0;
  for (let cell = 0; cell < cells; cell++) {
    const found = cellAt(page, page.readUInt16BE(HEADER_BYTES + 2 * cell), columns);
    if (found === undefined) return false;
    const [id] = found.row;
    if (typeof id !== 'number' || (last !== null && id <= last)) return false;
    last = id;
    bytes += found.bytes;
  }
  return isFilledBy(bytes, page) && (until === null || (last !== null && last <= until));
}

/** Whether there is nothing but the cells, free blocks and fragments: a header with fewer cells than were written has more. */
function isFilledBy(cellBytes: number, page: Buffer): boolean {
  let free = page.readUInt8(7);
  let at = page.readUInt16BE(1);
  while (at !== 0) {
    if (at + 4 > page.length) return false;
    free += page.readUInt16BE(at + 2);
    const next = page.readUInt16BE(at);
    if (next !== 0 && next <= at) return false;
    at = next;
  }
  return page.readUInt16BE(5) + cellBytes + free === page.length;
}

function rowAt(page: Buffer, offset: number, columns: number): IntegerRow | undefined {
  return cellAt(page, offset, columns)?.row;
}

/** A row, and the bytes that it takes. */
interface Cell {
  readonly row: IntegerRow;
  readonly bytes: number;
}

function cellAt(page: Buffer, offset: number, columns: number): Cell | undefined {
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
    return { row: [id, ...values.slice(1).map((value) => value ?? null)], bytes: reader.at - offset };
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
