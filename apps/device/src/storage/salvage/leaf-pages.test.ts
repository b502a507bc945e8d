import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { temporaryFolder } from '@heliograph/dev/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { damagedRanges, type IntegerRow, integerRows, type RowIdRange } from './leaf-pages.ts';

const PAGE_SIZE = 512;
const COLUMNS = 3;
/** Rows of the large table. */
const ROWS = 200;

/** By the table's name, its root page and its rows; `whole` has a page above its pages of rows. */
let file: Buffer;
const roots = new Map<string, number>();
/** The pages of rows of the large table, from 1, in the order of their rows, and the row ids on each. */
let leaves: readonly { readonly page: number; readonly ids: readonly number[] }[];

/** Integers of each length that SQLite stores, and nothing. */
const INTEGERS = [null, 0, 1, -1, 127, -128, 128, 32_767, -32_769, 8_388_608, 2 ** 31, -(2 ** 40), 2 ** 47];
const EXACT = [...INTEGERS, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const IDS = [Number.MIN_SAFE_INTEGER, -1, 0, 127, 128, 16_384, 2_097_152, 2 ** 40, Number.MAX_SAFE_INTEGER];

beforeAll(async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'a.sqlite');
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA page_size = ${PAGE_SIZE};
    CREATE TABLE large (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER) STRICT;
    CREATE TABLE small (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER) STRICT;
    CREATE TABLE empty (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER) STRICT`);
  const large = db.prepare('INSERT INTO large VALUES (?, ?, ?)');
  for (let id = 1; id <= ROWS; id++) large.run(id * 10, id * 1_000_000, null);
  const small = db.prepare('INSERT INTO small VALUES (?, ?, ?)');
  for (const [i, id] of IDS.entries()) small.run(id, EXACT[i] ?? null, EXACT[i + IDS.length] ?? null);
  for (const { name, rootpage } of db.prepare('SELECT name, rootpage FROM sqlite_schema').all())
    roots.set(String(name), Number(rootpage));
  leaves = db
    .prepare("SELECT pageno FROM dbstat WHERE name = 'large' AND pagetype = 'leaf' ORDER BY path")
    .all()
    .map(({ pageno }) => ({ page: Number(pageno), ids: [] }));
  db.close();
  file = readFileSync(path);
  leaves = leaves.map(({ page }) => ({ page, ids: idsIn(pageAt(file, page)) }));
});

const pageAt = (bytes: Buffer, page: number): Buffer =>
  bytes.subarray((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
const rowsIn = (bytes: Buffer): readonly IntegerRow[] => [...integerRows(bytes, PAGE_SIZE, COLUMNS)];
const idsIn = (bytes: Buffer): readonly number[] => rowsIn(bytes).map(([id]) => Number(id));
const damageIn = (bytes: Buffer, table = 'large'): readonly RowIdRange[] =>
  [...damagedRanges(bytes, PAGE_SIZE, COLUMNS, roots.get(table) ?? 0)].map(({ after, until }) => ({
    after,
    until,
  }));

/** The file with other bytes on a page. */
function changed(page: number, change: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.from(file);
  change(pageAt(bytes, page));
  return bytes;
}

describe('whole pages', () => {
  it('a page has integers of every size, and row ids of every length', () => {
    const rows = IDS.map((id, i) => [id, EXACT[i] ?? null, EXACT[i + IDS.length] ?? null]);
    expect(rowsIn(pageAt(file, roots.get('small') ?? 0))).toEqual(rows);
  });

  it('the pages of a table have all of its rows', () => {
    expect(leaves.length).toBeGreaterThan(3);
    expect(leaves.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: ROWS }, (_, i) => (i + 1) * 10));
  });

  it.each(['large', 'small', 'empty'])('a whole table %s has no damage', (table) => {
    expect(damageIn(file, table)).toEqual([]);
  });

  it('a page is not read as rows of a table with more or fewer columns', () => {
    const page = pageAt(file, roots.get('small') ?? 0);
    for (const columns of [COLUMNS - 1, COLUMNS + 1])
      expect([...integerRows(page, PAGE_SIZE, columns)]).toEqual([]);
  });

  it('a row with a number that is not exact, or a text, is left out', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'b.sqlite');
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA page_size = ${PAGE_SIZE}; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)`);
    for (const [id, value] of [1n, 2n ** 53n, -(2n ** 53n), 'text', 0.5, 6n].entries())
      db.prepare('INSERT INTO t VALUES (?, ?, 0)').run(id, value);
    db.close();
    expect(rowsIn(readFileSync(path))).toEqual([
      [0, 1, 0],
      [5, 6, 0],
    ]);
  });
});

describe('damage', () => {
  /** The range of a page of rows: above the last id of the page before it, until its own. */
  const rangeOf = (index: number): RowIdRange => ({
    after: index === 0 ? null : (leaves[index - 1]?.ids.at(-1) ?? null),
    until: index === leaves.length - 1 ? null : (leaves[index]?.ids.at(-1) ?? null),
  });

  it.each<[string, (page: Buffer) => unknown]>([
    ['zeros', (page) => page.fill(0)],
    ['another kind of page', (page) => page.writeUInt8(10, 0)],
    ['no cells', (page) => page.writeUInt16BE(0, 3)],
    ['more cells than fit', (page) => page.writeUInt16BE(0xffff, 3)],
    ['one cell more than fits', (page) => page.writeUInt16BE((PAGE_SIZE - 8) / 2 + 1, 3)],
    ['a cell beyond the page', (page) => page.writeUInt16BE(PAGE_SIZE - 1, 8)],
    ['two cells in one place', (page) => page.writeUInt16BE(page.readUInt16BE(8), 10)],
    [
      'cells in another order',
      (page) => {
        const [first, second] = [page.readUInt16BE(8), page.readUInt16BE(10)];
        page.writeUInt16BE(second, 8);
        page.writeUInt16BE(first, 10);
      },
    ],
  ])('damage to %s on any page of rows is found where it is', (_what, change) => {
    for (const [index, { page }] of leaves.entries())
      expect(damageIn(changed(page, change))).toEqual([rangeOf(index)]);
  });

  it('the free space of rows that were deleted is no damage', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'c.sqlite');
    writeFileSync(path, file);
    const db = new DatabaseSync(path);
    db.exec('DELETE FROM large WHERE id % 70 = 0; UPDATE large SET b = 1 WHERE id % 90 = 0');
    db.close();
    expect(damageIn(readFileSync(path))).toEqual([]);
  });

  it.each<[string, (page: Buffer) => unknown]>([
    ['begins beyond the page', (page) => page.writeUInt16BE(PAGE_SIZE - 3, 1)],
    [
      'leads back to itself',
      (page) => {
        page.writeUInt16BE(PAGE_SIZE - 8, 1);
        page.writeUInt16BE(PAGE_SIZE - 8, PAGE_SIZE - 8);
      },
    ],
  ])('damage to free space that %s is found', (_what, change) => {
    const { page = 0 } = leaves.at(-1) ?? {};
    expect(damageIn(changed(page, change))).toEqual([rangeOf(leaves.length - 1)]);
  });

  it('another byte on a page never hides a row without being found', () => {
    const [, second] = leaves;
    const { page = 0, ids = [] } = second ?? {};
    const undetected: number[] = [];
    // Every byte of the header, and of the rest as many as take no time.
    for (let offset = 0; offset < PAGE_SIZE; offset += offset < 8 ? 1 : 7) {
      const bytes = changed(page, (on) => on.writeUInt8(0xff - on.readUInt8(offset), offset));
      // A row id that became another one in the same order cannot be distinguished from it.
      const isHidden = idsIn(pageAt(bytes, page)).length < ids.length;
      if (isHidden && !isDeepStrictEqual(damageIn(bytes), [rangeOf(1)])) undetected.push(offset);
    }
    expect(undetected).toEqual([]);
  });

  it.each<[string, (page: Buffer) => unknown]>([
    ['zeros', (page) => page.fill(0)],
    ['no cells', (page) => page.writeUInt16BE(0, 3)],
    ['more cells than fit', (page) => page.writeUInt16BE(0xffff, 3)],
    ['a cell at the end of the page', (page) => page.writeUInt16BE(PAGE_SIZE - 4, 12)],
    ['two cells in one place', (page) => page.writeUInt16BE(page.readUInt16BE(12), 14)],
  ])('damage to %s on the page above all others is one to the whole table', (_what, change) => {
    expect(damageIn(changed(roots.get('large') ?? 0, change))).toEqual([{ after: null, until: null }]);
  });

  it('damage to the way to a page is one to its rows', () => {
    const page = roots.get('large') ?? 0;
    const cell = (on: Buffer) => on.readUInt16BE(12 + 2);
    for (const to of [0, file.length / PAGE_SIZE + 1, page])
      expect(damageIn(changed(page, (on) => on.writeUInt32BE(to, cell(on))))).toEqual([rangeOf(1)]);
    const [first] = leaves;
    const again = damageIn(changed(page, (on) => on.writeUInt32BE(first?.page ?? 0, cell(on))));
    expect(again).toEqual([rangeOf(1)]);
  });

  it('damage to the number of the last page is one to the last rows', () => {
    const page = roots.get('large') ?? 0;
    expect(damageIn(changed(page, (on) => on.writeUInt32BE(0, 8)))).toEqual([rangeOf(leaves.length - 1)]);
  });

  it('a file that ends within a page lost the rows from there on', () => {
    const last = Math.max(...leaves.map(({ page }) => page));
    const index = leaves.findIndex(({ page }) => page === last);
    const cut = file.subarray(0, (last - 1) * PAGE_SIZE + PAGE_SIZE - 1);
    expect(damageIn(cut)).toEqual([rangeOf(index)]);
    expect(idsIn(cut)).not.toContain(leaves[index]?.ids[0]);
  });

  it('a table without a root is damaged as a whole', () => {
    expect([...damagedRanges(file, PAGE_SIZE, COLUMNS, 0)]).toEqual([{ after: null, until: null }]);
  });
});
