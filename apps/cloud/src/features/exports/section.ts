import type { RawBuilder } from 'kysely';

/** A table of an archive: a file as JSON, and the same as CSV. */
export interface ExportSection {
  readonly name: string;
  /** Its columns are listed one by one, so that a new one, or a secret, is never in an archive by itself. */
  readonly rows: RawBuilder<Record<string, unknown>>;
}

export function section(name: string, rows: RawBuilder<Record<string, unknown>>): ExportSection {
  return { name, rows };
}
