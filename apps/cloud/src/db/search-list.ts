import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Page } from './page.ts';
import type { Search } from './search.ts';

/**
 * Rows that are scanned in the order of the list before the index of words is used. A scan ends early where many rows match;
 * the index collects all matches first, which are few where these rows did not fill a page. The rows of all readers are
 * adjacent on disk and scanned quickly; those of one are scattered.
 */
const SCANNED_ROWS = { all: 2_000, some: 500 } as const;

/** The scope of a reader who sees all rows. */
export const EVERY_ROW: RawBuilder<SqlBool> = sql`true`;

/** A table with a column `search`, which has its words in a GIN index. */
export interface SearchedTable {
  readonly name: string;
  /** Columns of the order of its lists, in which the largest comes first. The last one is unique. */
  readonly order: readonly string[];
}

/**
 * The ids of a page of a list, for `in`.
 *
 * @param scopes conditions of the rows that exist for the reader. No row meets two of them, and each has an index in the
 * order of the list
 */
export function searchList(
  table: SearchedTable,
  scopes: readonly RawBuilder<SqlBool>[],
  { conditions, searchTerms }: Search,
  { offset, limit }: Page,
): RawBuilder<number> {
  const wanted = offset + limit;
  const name = sql.table(table.name);
  const byOrder = (of: string) =>
    sql.join(table.order.map((column) => sql`${sql.ref(`${of}.${column}`)} desc`));
  const keys = (of: string) => sql.join(['id', ...orderBeside(table)].map((key) => sql.ref(`${of}.${key}`)));
  const inOrder = byOrder(table.name);
  const newest = (where: RawBuilder<SqlBool>, count: number) =>
    sql`(select ${name}.* from ${name} where ${where} order by ${inOrder} limit ${count})`;
  const newestOfAll = (condition: RawBuilder<SqlBool>, count: number) =>
    sql`(${sql.join(
      scopes.map((scope) => newest(all([scope, condition]), count)),
      sql` union all `,
    )})`;
  const page = sql`order by ${byOrder('found')} offset ${offset} limit ${limit}`;
  if (searchTerms.length === 0)
    return sql`(select id from (select ${keys(table.name)} from ${newestOfAll(all(conditions), wanted)} as ${name}
      order by ${inOrder} limit ${wanted}) as found ${page})`;
  const scannedRows = SCANNED_ROWS[scopes.includes(EVERY_ROW) ? 'all' : 'some'];
  const query = sql`search_query(${searchTerms.join(' ')})`;
  const search = sql.ref(`${table.name}.search`);
  // The function behind @@, which uses no index.
  const matches = all([...conditions, sql`ts_match_vq(${search}, ${query})`]);
  // The offset keeps the planner, which misjudges words, from a scan in the order of the list.
  const indexed = sql`select ${keys(table.name)} from (select * from ${name}
    where ${search} @@ ${query} and (${sql.join(scopes, sql` or `)}) and ${all(conditions)} offset 0) as ${name}
    where not (select done from scan)`;
  return sql`(with scanned as materialized (
      select ${keys(table.name)}, ${matches} as matches from ${newestOfAll(EVERY_ROW, scannedRows)} as ${name}
      order by ${inOrder} limit ${scannedRows}),
    scan as (select count(*) < ${scannedRows} or count(*) filter (where matches) >= ${wanted} as done from scanned)
    select id from (
      select ${keys('scanned')} from scanned where matches and (select done from scan) union all ${indexed}
    ) as found ${page})`;
}

function orderBeside({ order }: SearchedTable): readonly string[] {
  return order.filter((column) => column !== 'id');
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}
