import type { ColumnType, JSONColumnType } from 'kysely';

/** Set by the database when a row is made, and never changed. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type Id = ColumnType<number, never, never>;
/** Derived by PostgreSQL; read in conditions only. */
export type SearchColumn = ColumnType<never, never, never>;
export type JsonObject = JSONColumnType<Record<string, unknown>, string | undefined>;
/** A bigint, which the driver reads as text. */
export type Amount = ColumnType<string, number, number>;
export type AmountFromZero = ColumnType<string, number | undefined, number>;
