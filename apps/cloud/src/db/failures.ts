import { DatabaseError } from 'pg';
import { NoPrimary } from './primary.ts';

/** SQLSTATE of a broken unique index, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505';

/** Whether a write failed because its value is taken under the named unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index;
}

/**
 * SQLSTATE classes and codes that say the server is away, full, stopping, overloaded or for reading only, and not
 * that the query is wrong. A deadlock is among them: what was tried is undone, and may well succeed next time.
 */
const OUTAGE = /^(08|53|57P0|57014|58|25006|40001|40P01)/;

/** SQLSTATE of a reference to a row that is not there. */
const FOREIGN_KEY_VIOLATION = '23503';

/** Whether an organization was closed after the request had found it: the next request finds none. */
function isClosedMeanwhile({ code, constraint = '' }: DatabaseError): boolean {
  return code === FOREIGN_KEY_VIOLATION && constraint.endsWith('organization_id_fkey');
}

/** Whether the caller may retry an unchanged request: the database is out of reach, or another request was in its way. */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseError) return OUTAGE.test(error.code ?? '') || isClosedMeanwhile(error);
  if (error instanceof NoPrimary) return true;
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error)
    return 'code' in error && /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_)/.test(String(error.code));
  // pg has no codes for what it raises itself.
  return /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  );
}
