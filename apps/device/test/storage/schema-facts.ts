import type { DatabaseSync } from 'node:sqlite';
import type { SchemaFacts } from '@heliograph/dev/testing/schema-changes';

/** The tables of the database, as code that runs on them depends on them. Rules are those of unique indexes. */
export function schemaFacts(db: DatabaseSync): SchemaFacts {
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1",
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => {
      const table = String(name);
      const columns = db.prepare('SELECT * FROM pragma_table_info(?) ORDER BY name').all(table);
      const indexes = db.prepare('SELECT name FROM pragma_index_list(?) WHERE "unique"').all(table);
      return [
        table,
        {
          columns: Object.fromEntries(
            columns.map((column) => [
              String(column.name),
              {
                type: String(column.type),
                nullable: column.notnull === 0 && column.pk === 0,
                // SQLite numbers the rows of an INTEGER PRIMARY KEY.
                hasDefault: column.dflt_value !== null || (column.pk === 1 && column.type === 'INTEGER'),
              },
            ]),
          ),
          rules: indexes
            .map((index) => {
              const parts = db
                .prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
                .all(String(index.name));
              return `unique (${parts.map((part) => part.name).join(', ')})`;
            })
            .toSorted(),
        },
      ];
    }),
  );
}
