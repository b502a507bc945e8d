import type { RawBuilder } from 'kysely';

type Row = Record<string, unknown>;

/** A table of an archive: a file as JSON, and the same as CSV. */
export interface ExportSection {
  readonly name: string;
  /** Its columns are listed one by one, so that a new one, or a secret, is never in an archive by itself. */
  readonly rows: RawBuilder<Row>;
  /** How a row is shown that is stored packed. */
  readonly present: (row: Row) => Row;
}

export function section(
  name: string,
  rows: RawBuilder<Row>,
  present: ExportSection['present'] = (row) => row,
): ExportSection {
  return { name, rows, present };
}
