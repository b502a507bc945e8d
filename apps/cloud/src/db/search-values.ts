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

/** A condition of a search on a column; undefined for no value. */
export function isEqual(column: string, value: string | number | undefined): RawBuilder<SqlBool> | undefined {
  return value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`;
}

/** A condition of a search on a column with a time; undefined for a text that is no date. */
export function isDated(
  column: string,
  operator: '>' | '>=' | '<',
  text: string,
): RawBuilder<SqlBool> | undefined {
  const date = dateOf(text);
  return date && sql`${sql.ref(column)} ${sql.raw(operator)} ${date}`;
}

/** A condition on a column with an organization: an id, or `none`; undefined for another text. */
export function organizationIs(column: string, text: string): RawBuilder<SqlBool> | undefined {
  if (text.toLowerCase() === 'none') return sql`${sql.ref(column)} is null`;
  return isEqual(column, idOf(text));
}
