import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { FailureAction } from './sign-in-failures.ts';

/** How long failures of one account from one network are counted in one record, in milliseconds. */
const WINDOW_MS = 60 * 60 * 1000;

/** Records that are begun in such a time. Beyond it, an attack on many accounts from many networks, the log has them. */
const MAX_RECORDS = 1_000;

/** Failures of one account from one network. */
export interface FailureTally {
  /** Of what happened, the account and the network. */
  readonly key: Buffer;
  readonly action: FailureAction;
  readonly userId: number | null;
  readonly address: string | null;
  readonly attempts: number;
  /** When the last of them was. */
  readonly at: Date;
}

/** Counts failures in the audit record of the hour, or begins one. */
export function recordFailures(db: Database, tally: FailureTally): Promise<void> {
  const { key, action, userId, address, attempts, at } = tally;
  const from = new Date(at.getTime() - WINDOW_MS);
  return db.transaction().execute(async (tx) => {
    const begun = await tx
      .selectFrom('sign_in_failures')
      .select('audit_id')
      .where('key', '=', key)
      .where('since', '>', from)
      .forUpdate()
      .executeTakeFirst();
    if (begun !== undefined) {
      await sql`update audit_events set details = jsonb_build_object(
          'attempts', (details->>'attempts')::int + ${attempts}::int, 'last_attempt', ${at.toISOString()}::text)
        where id = ${begun.audit_id}`.execute(tx);
      return;
    }
    const { count } = await tx
      .selectFrom('sign_in_failures')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('since', '>', from)
      .executeTakeFirstOrThrow();
    if (count >= MAX_RECORDS) return;
    const { id } = await tx
      .insertInto('audit_events')
      .values({
        at,
        action,
        actor_id: null,
        token_id: null,
        via: 'api',
        address,
        organization_id: null,
        site_id: null,
        user_id: userId,
        device_uid: null,
        details: JSON.stringify({ attempts, last_attempt: at.toISOString() }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('sign_in_failures')
      .values({ key, since: at, audit_id: id })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ since: at, audit_id: id }))
      .execute();
  });
}
