import { messageOf } from '@heliograph/kit';

/** In the words of an operator. */
export const READ_ERROR = 'cannot be read or written: the disk or card reports an error';

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html), in the words of an operator. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'is in use by another process',
  8: 'cannot be written',
  10: READ_ERROR,
  11: 'is damaged',
  13: 'cannot be written: the disk is full',
  14: 'cannot be opened',
  26: 'is damaged or not a database',
};

/** Codes of the system. Its messages have paths, and clients read the reasons. */
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be opened',
  EIO: READ_ERROR,
  EPERM: 'may not be opened',
  EROFS: 'cannot be written: the disk or card is read-only',
};

const IN_USE = 5;
const IO_ERROR = 10;
/** Of a file that may not be written, and of one that may not be opened. */
const FORBIDDEN: readonly number[] = [3, 8, 14];
const DISK_FULL = 13;
const DAMAGED: readonly number[] = [11, 26];
/** A part of the file that the disk cannot read, by SQLite's extended codes. */
const UNREADABLE: readonly unknown[] = [266, 8458];
/** Rows that a table does not take: too long, against a constraint, of another type. */
const REFUSED_ROW: readonly number[] = [18, 19, 20];

/** Why a database file failed, as words that go on after its name. */
export function reasonOf(error: unknown): string {
  return knownReasonOf(error) ?? `cannot be used: ${messageOf(error)}`;
}

/** As {@link reasonOf}, without the text of an unknown error, which may name anything. */
export function publicReasonOf(error: unknown): string {
  return knownReasonOf(error) ?? 'cannot be used: the log of the device has the reason';
}

function knownReasonOf(error: unknown): string | undefined {
  const reason = REASONS[codeOf(error)];
  if (reason !== undefined) return reason;
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined;
  return SYSTEM_REASONS[String(error.code)] ?? `cannot be used: ${error.code}`;
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

export function isInUse(error: unknown): boolean {
  return codeOf(error) === IN_USE;
}

export function isIoError(error: unknown): boolean {
  return codeOf(error) === IO_ERROR && !isDamage(error);
}

export function isForbidden(error: unknown): boolean {
  return FORBIDDEN.includes(codeOf(error));
}

/** Damaged content, or a part of the file that the disk cannot read. */
export function isDamage(error: unknown): boolean {
  if (isReadError(error)) return true;
  return DAMAGED.includes(codeOf(error)) || /^unsupported file format/.test(messageOf(error));
}

/** The disk cannot read a part of the file, whose other content may be whole. */
export function isReadError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && UNREADABLE.includes(error.errcode);
}

export function isRefusedRow(error: unknown): boolean {
  return REFUSED_ROW.includes(codeOf(error));
}

function codeOf(error: unknown): number {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return DISK_FULL;
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
}
