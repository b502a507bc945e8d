import { Readable } from 'node:stream';
import { type CsvCell, csvOf } from '@heliograph/contracts/csv';
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

/** Rows as CSV, with the names of their columns first. */
function tableOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return '';
  return csvOf([columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]);
}

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The bytes of an archive. @param filesOf the account whose tickets' files are in it; null: none */
export async function archiveOf(
  tx: Database,
  sections: readonly ExportSection[],
  filesOf: number | null,
  at: Date,
): Promise<AsyncIterable<Buffer>> {
  const zip = new ZipFile();
  const options = { mtime: at };
  const remarks: string[] = [];
  for (const { name, rows: query, present } of sections) {
    const { rows: stored } = await sql<Record<string, unknown>>`
      select * from (${query}) as rows limit ${MAX_ROWS}`.execute(tx);
    const rows = stored.map(present);
    if (rows.length === MAX_ROWS) remarks.push(`${name}: only the first ${MAX_ROWS} rows`);
    zip.addBuffer(Buffer.from(`${JSON.stringify(rows, null, 2)}\n`), `${name}.json`, options);
    zip.addBuffer(Buffer.from(tableOf(rows)), `${name}.csv`, options);
  }
  let size = 0;
  for (const file of filesOf === null ? [] : await filesOfTickets(tx, filesOf)) {
    size += file.size;
    if (size > MAX_FILES_SIZE) {
      remarks.push(`files: those from number ${file.id} on are with their tickets, not here`);
      break;
    }
    // Read one after the other while the archive is written: each is up to 10 MiB.
    const path = `files/ticket-${file.ticketId}/${file.id}-${pathOf(file.name)}`;
    zip.addReadStreamLazy(path, options, (done) => {
      bytesOf(tx, file.id).then(
        (bytes) => done(null, Readable.from([bytes])),
        (error: unknown) => done(error, Readable.from([])),
      );
    });
  }
  zip.addBuffer(Buffer.from(readmeOf(at, remarks)), 'README.txt', options);
  zip.end();
  // Its type is that of any stream for reading; yazl writes Buffers.
  return zip.outputStream as unknown as AsyncIterable<Buffer>;
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

async function bytesOf(tx: Database, id: number): Promise<Buffer> {
  const file = await tx
    .selectFrom('ticket_attachments')
    .select('bytes')
    .where('id', '=', id)
    .executeTakeFirst();
  return file?.bytes ?? Buffer.alloc(0);
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
