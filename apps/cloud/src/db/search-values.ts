import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A date of a search, with a time or without; undefined for another text. */
export function dateOf(text: string): Date | undefined {
  // Four-digit years only: the range of PostgreSQL is smaller than that of JavaScript.
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}

/** The id of a search; undefined for another text. */
export function idOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Ids of a search, separated by commas; undefined for another text. */
export function idsOf(text: string): number[] | undefined {
  const ids = text.split(',').map(idOf);
  return ids.includes(undefined) ? undefined : ids.filter((id) => id !== undefined);
}

/** A condition on a column with an organization: an id, or `none`; undefined for another text. */
export function organizationIs(column: string, text: string): RawBuilder<SqlBool> | undefined {
  if (text.toLowerCase() === 'none') return sql`${sql.ref(column)} is null`;
  const id = idOf(text);
  return id === undefined ? undefined : sql`${sql.ref(column)} = ${id}`;
}
