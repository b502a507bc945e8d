import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from './open.ts';

const MARK = '/* keep the plan */';

/**
 * Stands in a statement that each connection is to parse and plan once. For a few rows by their keys that takes the
 * database longer than running it. It is for statements whose text never varies and whose best plan does not depend on
 * the values: the plan is for any of them.
 */
export const PREPARED = sql.raw(MARK);

/**
 * Runs a statement that is written down whole and whose plan is kept, so that nothing is built for it here either.
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

/** By text; there are as many as statements in the code that are marked. */
const names = new Map<string, string>();

/** PostgreSQL keeps the plans of statements that have a name. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

/** A connection that keeps the plans of marked statements. */
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
