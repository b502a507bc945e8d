import { sql } from 'kysely';
import type { Database } from '../../../src/db/open.ts';
import { PERSONAL_COLUMNS, type TableDecision } from './personal-columns.ts';

interface Column {
  readonly table: string;
  readonly column: string;
  /** The effect on its row when the account that it refers to is deleted. */
  readonly rule: 'CASCADE' | 'SET NULL' | 'NO ACTION' | null;
}

type Fate = keyof TableDecision;

/** Mistakes in the decisions about the columns that could hold a person; empty when all is well. */
export async function mistakesInColumns(db: Database): Promise<string[]> {
  const columns = await columnsOfPeople(db);
  const decided = columns.map((column) => ({ ...column, fates: fatesOf(column) }));
  const names = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const gone = namedColumns().filter((name) =>
    name.endsWith('.*') ? !columns.some(({ table }) => name === `${table}.*`) : !names.has(name),
  );
  return [
    ...decided.flatMap(({ table, column, rule, fates }) => mistakeOf(`${table}.${column}`, rule, fates)),
    ...gone.map((name) => `${name} is in personal-columns.ts, and in no table: remove it there`),
  ];
}

function mistakeOf(name: string, rule: Column['rule'], fates: readonly Fate[]): string[] {
  const [fate, ...others] = fates;
  if (fate === undefined)
    return [
      `${name} could hold a person: decide what becomes of it when an account is deleted, let removal.ts do that, and name it in personal-columns.ts`,
    ];
  if (others.length > 0) return [`${name} is in personal-columns.ts twice: as ${fates.join(' and ')}`];
  if (rule === null || FATES_OF_RULE[rule].includes(fate)) return [];
  return [
    `${name} is ${fate} in personal-columns.ts, and its foreign key says ${rule}: one of them is wrong`,
  ];
}

/** Without an action the account cannot be deleted until `removal.ts` has deleted the row, or it is another's. */
const FATES_OF_RULE: Readonly<Record<NonNullable<Column['rule']>, readonly Fate[]>> = {
  CASCADE: ['deleted'],
  'SET NULL': ['blanked'],
  'NO ACTION': ['deleted', 'givenAway'],
};

function fatesOf({ table, column }: Column): Fate[] {
  const decision = PERSONAL_COLUMNS[table] ?? {};
  return (Object.keys(decision) as Fate[]).filter((fate) =>
    columnsIn(decision, fate).some((name) => name === column || name === '*'),
  );
}

function namedColumns(): string[] {
  return Object.entries(PERSONAL_COLUMNS).flatMap(([table, decision]) =>
    (Object.keys(decision) as Fate[]).flatMap((fate) =>
      columnsIn(decision, fate).map((name) => `${table}.${name}`),
    ),
  );
}

function columnsIn(decision: TableDecision, fate: Fate): string[] {
  const named = decision[fate] ?? '';
  const lists = typeof named === 'string' ? [named] : Object.keys(named);
  return lists.flatMap((list) => list.split(' '));
}

/**
 * Columns of any type but numbers, truth values, times and random ids, and those that refer to an account, by a foreign key
 * or by their name. A partition has the columns of its table.
 */
async function columnsOfPeople(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select case when schemas.nspname = 'public' then '' else schemas.nspname || '.' end || tables.relname as table,
      columns.attname as column,
      (select case keys.confdeltype when 'c' then 'CASCADE' when 'n' then 'SET NULL' else 'NO ACTION' end
        from pg_constraint as keys where keys.conrelid = tables.oid and keys.contype = 'f'
          and keys.confrelid = 'public.users'::regclass and columns.attnum = any(keys.conkey) limit 1) as rule
    from pg_attribute as columns
      join pg_class as tables on tables.oid = columns.attrelid
      join pg_namespace as schemas on schemas.oid = tables.relnamespace
      join pg_type as types on types.oid = columns.atttypid
    where tables.relkind in ('r', 'p') and not tables.relispartition
      and schemas.nspname not in ('pg_catalog', 'information_schema')
      and columns.attnum > 0 and not columns.attisdropped
      and (not (types.typcategory in ('N', 'B', 'D', 'T', 'E') or types.typname in ('uuid', '_int4', '_int8'))
        or columns.attname ~ '(^|_)(user|owner|actor|author|requester|assignee)_id$'
        or exists (select from pg_constraint as keys where keys.conrelid = tables.oid and keys.contype = 'f'
          and keys.confrelid = 'public.users'::regclass and columns.attnum = any(keys.conkey)))
    order by 1, columns.attnum`.execute(db);
  return rows;
}
