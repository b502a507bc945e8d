import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from './open.ts';

const MARK = '/* prepared */';

/**
 * Marks a statement that each connection parses and plans once, which takes longer than running it for a few rows by
 * their keys. Only for statements with a constant text whose best plan does not depend on the values.
 */
export const PREPARED = sql.raw(MARK);

/**
 * Runs a prepared statement given as text, which saves building it.
 *
 * @param text with `$1`, `$2` for the values
 */
export async function runPrepared<Row>(
  db: Database,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(`${MARK} ${text}`, [...values]));
  return rows;
}

/** By text; as many as there are marked statements in the code. */
const names = new Map<string, string>();

/** PostgreSQL caches the plans of named statements. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

/** A connection that prepares marked statements. */
export class PreparingClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const named = (first: unknown, values: unknown, ...rest: unknown[]): unknown =>
      typeof first === 'string' && first.includes(MARK)
        ? query({ name: nameOf(first), text: first, values }, ...rest)
        : query(first, values, ...rest);
    // Its many signatures cannot be overridden one by one.
    Object.assign(this, { query: named });
  }
}
