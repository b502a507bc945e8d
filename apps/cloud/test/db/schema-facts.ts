import type { ColumnFacts, SchemaFacts } from '@heliograph/dev/testing/schema-changes';
import type { Pool } from 'pg';

/** The tables of the database, as code that runs on them depends on them. */
export async function schemaFacts(pool: Pick<Pool, 'query'>): Promise<SchemaFacts> {
  const { rows: columns } = await pool.query<ColumnFacts & { table: string; column: string }>(`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable, (a.atthasdef or a.attidentity <> '') as "hasDefault"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and c.relname <> 'migrations'
    order by c.relname, a.attname`);
  const { rows: rules } = await pool.query<{ table: string; rule: string }>(`
    select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as rule from pg_constraint
    where connamespace = current_schema()::regnamespace and contype in ('c', 'f', 'x')
    union
    select indrelid::regclass::text, 'unique' || substring(pg_get_indexdef(indexrelid) from ' USING .*$') from pg_index
    join pg_class c on c.oid = indrelid
    where indisunique and c.relnamespace = current_schema()::regnamespace
    order by 1, 2`);
  return Object.fromEntries(
    [...Map.groupBy(columns, ({ table }) => table)].map(([table, own]) => [
      table,
      {
        columns: Object.fromEntries(
          own.map(({ column, type, nullable, hasDefault }) => [column, { type, nullable, hasDefault }]),
        ),
        rules: rules.filter((rule) => rule.table === table).map(({ rule }) => rule),
      },
    ]),
  );
}
