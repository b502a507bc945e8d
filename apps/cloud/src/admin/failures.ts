import { ValidationError } from '@heliograph/kit';
import { printable } from '@heliograph/kit/terminal';
import { DatabaseError } from 'pg';
import { isOutage } from '../db/failures.ts';

/** SQLSTATE classes of a refused login and of a database that there is not, also https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NOT_LET_IN = /^(28|3D)/;

/** Anything thrown, as one line. */
export function failureLine(error: unknown): string {
  if (error instanceof ValidationError) return printable(complaintsOf(error));
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  const refused = cause instanceof DatabaseError && NOT_LET_IN.test(cause.code ?? '');
  return printable(refused || isOutage(error) ? `The database cannot be reached: ${text}` : text);
}

/** Messages for a field complete its name: "email has already been taken". */
function complaintsOf({ errors }: ValidationError): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) => messages.map((message) => `${field.replaceAll('_', ' ')} ${message}`))
    .join('; ');
}
