import { PassThrough, pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { BYTE_ORDER_MARK, type CsvCell, csvOf, spreadsheetFormat } from '@heliograph/contracts/csv';
import { sql } from 'kysely';
import { ZipFile } from 'yazl';
import type { Database } from '../../db/open.ts';
import type { ExportSection } from './section.ts';

/** Rows of one table; an archive with as many has a remark. */
const MAX_ROWS = 50_000;

/** Files of tickets together, in bytes. */
const MAX_FILES_SIZE = 500 * 1024 * 1024;

interface FileRow {
  readonly id: number;
  readonly ticketId: number;
  readonly name: string;
  readonly size: number;
}

/** Characters of a part of a table: other requests have their turn between two parts. */
const PART_LENGTH = 16 * 1024;

/** Bytes of a file that one query reads, and of a part of it. */
const READ_SIZE = 1024 * 1024;
const PART_SIZE = 64 * 1024;

/** Rows that one query reads. */
const BATCH_SIZE = 500;

type Row = Readonly<Record<string, unknown>>;

/** Joins short texts to parts. */
async function* partsOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let part = '';
  for await (const text of texts) {
    part += text;
    if (part.length < PART_LENGTH) continue;
    yield Buffer.from(part);
    part = '';
    await setImmediate();
  }
  if (part !== '') yield Buffer.from(part);
}

/** Rows as JSON. */
async function* jsonOf(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let count = 0;
  for await (const row of rows) {
    // Without the brackets of its list.
    yield (count === 0 ? '[' : ',') + JSON.stringify([row], null, 2).slice(1, -2);
    count += 1;
  }
  yield count === 0 ? '[]\n' : '\n]\n';
}

/** Rows as CSV, with the names of their columns first. @param locale BCP 47; null: for programs */
async function* tableOf(rows: AsyncIterable<Row>, locale: string | null): AsyncGenerator<string> {
  const format = locale === null ? undefined : spreadsheetFormat(locale);
  let columns: readonly string[] | undefined;
  for await (const row of rows) {
    if (columns === undefined) {
      columns = Object.keys(row);
      yield (locale === null ? '' : BYTE_ORDER_MARK) + csvOf([columns], format);
    }
    yield csvOf([columns.map((column) => cellOf(row[column]))], format);
  }
}

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * The bytes of an archive; reading them fails where an entry cannot be read.
 *
 * @param filesOf the account whose tickets' files are in it; null: none
 * @param csvLocale BCP 47, of the spreadsheets that open its CSV; null: programs
 */
export async function archiveOf(
  tx: Database,
  sections: readonly ExportSection[],
  filesOf: number | null,
  at: Date,
  csvLocale: string | null,
): Promise<AsyncIterable<Buffer>> {
  const zip = new ZipFile();
  const archive = pipeline(zip.outputStream, new PassThrough(), () => undefined);
  const fail = (error: Error): unknown => archive.destroy(error);
  zip.on('error', fail);
  const remarks: string[] = [];
  /** Reads the entry once those before it are written. */
  const add = (path: string, parts: () => AsyncIterable<Buffer>): void =>
    zip.addReadStreamLazy(path, { mtime: at }, (done) =>
      done(null, Readable.from(parts()).on('error', fail)),
    );
  for (const section of sections) {
    const { name } = section;
    add(`${name}.json`, async function* () {
      let count = 0;
      await openRows(tx, section);
      yield* partsOf(jsonOf(rowsOf(tx, section, () => (count += 1))));
      if (count === MAX_ROWS) remarks.push(`${name}: only the first ${MAX_ROWS} rows`);
    });
    add(`${name}.csv`, async function* () {
      await sql`move absolute 0 in export_rows`.execute(tx);
      yield* partsOf(tableOf(rowsOf(tx, section), csvLocale));
      await sql`close export_rows`.execute(tx);
    });
  }
  let size = 0;
  for (const file of filesOf === null ? [] : await filesOfTickets(tx, filesOf)) {
    size += file.size;
    if (size > MAX_FILES_SIZE) {
      remarks.push(`files: those from number ${file.id} on are with their tickets, not here`);
      break;
    }
    add(`files/ticket-${file.ticketId}/${file.id}-${pathOf(file.name)}`, () => bytesOf(tx, file.id));
  }
  add('README.txt', async function* () {
    yield Buffer.from(readmeOf(at, remarks));
  });
  zip.end();
  return archive;
}

/** A cursor for the rows of a section, which are read twice. */
async function openRows(tx: Database, { rows }: ExportSection): Promise<void> {
  await sql`declare export_rows scroll cursor for
    select * from (${rows}) as rows limit ${MAX_ROWS}`.execute(tx);
}

/** @param onRow is called for each row */
async function* rowsOf(
  tx: Database,
  { present }: ExportSection,
  onRow: () => void = () => undefined,
): AsyncGenerator<Row> {
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      fetch forward ${sql.lit(BATCH_SIZE)} from export_rows`.execute(tx);
    for (const row of rows) {
      onRow();
      yield present(row);
    }
    if (rows.length < BATCH_SIZE) return;
  }
}

async function filesOfTickets(tx: Database, userId: number): Promise<FileRow[]> {
  return tx
    .selectFrom('ticket_attachments as files')
    .innerJoin('ticket_messages as messages', 'messages.id', 'files.message_id')
    .innerJoin('tickets', 'tickets.id', 'messages.ticket_id')
    .select(['files.id', 'tickets.id as ticketId', 'files.name', 'files.size'])
    .where('tickets.requester_id', '=', userId)
    .where('messages.internal', '=', false)
    .orderBy('files.id')
    .execute();
}

async function* bytesOf(tx: Database, id: number): AsyncGenerator<Buffer> {
  for (let position = 1; ; position += READ_SIZE) {
    const { rows } = await sql<{ bytes: Buffer }>`
      select substring(bytes from ${position}::int for ${READ_SIZE}::int) as bytes
      from ticket_attachments where id = ${id}`.execute(tx);
    const bytes = rows[0]?.bytes ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += PART_SIZE) {
      yield bytes.subarray(at, at + PART_SIZE);
      await setImmediate();
    }
    if (bytes.length < READ_SIZE) return;
  }
}

/** A name of a file that leads nowhere else. */
function pathOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '_');
}

function readmeOf(at: Date, remarks: readonly string[]): string {
  return [
    `This archive was made at ${at.toISOString()}.`,
    'Each table is there as JSON and as CSV. Times are UTC, amounts of money in the smallest unit of their currency.',
    'Passwords and tokens are not in it: the service keeps only digests of them. Live values and their history are on the',
    'device of a site.',
    ...remarks,
    '',
  ].join('\n');
}
