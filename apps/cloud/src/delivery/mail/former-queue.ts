import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Work } from '../due-work.ts';

/** The last release that queues mails in the schema `jobs`. Release 0.3.0 works with none that does: it drops the schema. */
export const LAST_RELEASE_WITH_JOBS = '0.1.0';

/** How often mails of processes of that release are looked for, in milliseconds. */
const LOOK_INTERVAL_MS = 2_000;

/** Mails of one transaction. */
const BATCH_SIZE = 1_000;

/**
 * Moves mails that release 0.1.0 queued to the deliveries, while its processes run beside those of this one. Those that one of them
 * is sending stay with it until its time is over.
 */
export function formerQueueWork(db: Database, clock: Clock): Work {
  let looksAtMs = 0;
  return {
    name: 'mails of the last release',
    isDue: (now) => sql`${now.getTime() >= looksAtMs}::boolean and to_regclass('jobs.job') is not null`,
    run: async (end) => {
      looksAtMs = clock.now() + LOOK_INTERVAL_MS;
      while (!end.aborted && (await takeFormerMails(db, new Date(clock.now()))) === BATCH_SIZE);
    },
  };
}

/** Ended jobs that one statement deletes, so that a day of them takes no longer than a statement may. */
const MAX_ENDED = 10_000;

/**
 * Takes mails out of the former queue, and deletes there what has ended.
 *
 * @returns how many were taken
 */
export async function takeFormerMails(db: Database, now: Date): Promise<number> {
  // Both its processes and this statement leave a row that the other one has locked.
  const { rows } = await sql<{ taken: number }>`
    with ended as (
      delete from jobs.job where name = 'mail' and id = any (
        array(select id from jobs.job where name = 'mail' and state >= 'completed' limit ${MAX_ENDED}))
    ), waiting as (
      select id from jobs.job where name = 'mail' and (state < 'active'
        or state = 'active' and started_on + expire_seconds * interval '1 second' < now())
      order by created_on limit ${BATCH_SIZE} for update skip locked
    ), taken as (
      delete from jobs.job where name = 'mail' and id in (select id from waiting) returning *
    ), added as (
      insert into deliveries
        (kind, tenant, lane, payload, message_id, due_at, attempts, failing_since, doubtful, created_at)
      select 'mail', coalesce((data ->> 'organizationId')::int, -(data ->> 'userId')::int, 0),
        case when priority > 0 then 0 else 1 end, data, id,
        ${now}::timestamptz + greatest(start_after - now(), interval '0'), retry_count,
        case when retry_count > 0 then ${now}::timestamptz - (now() - created_on) end,
        state = 'active' or coalesce(output #>> '{value,message}' = 'job timed out', false),
        ${now}::timestamptz - (now() - created_on)
      from taken order by priority desc, created_on
    )
    select count(*)::int as taken from taken`.execute(db);
  return rows[0]?.taken ?? 0;
}

/** Forgets the mails of an account in the former queue. @param isTo whether a mail to an address is to the account */
export async function forgetFormerMails(
  tx: Database,
  userId: number,
  isTo: (address: string) => boolean,
): Promise<void> {
  const { rows: found } = await sql<{ isThere: boolean }>`
    select to_regclass('jobs.job') is not null as "isThere"`.execute(tx);
  if (found[0]?.isThere !== true) return;
  const { rows } = await sql<{ id: string; address: string }>`
    select id, data ->> 'email' as address from jobs.job where name = 'mail' and data ->> 'email' is not null`.execute(
    tx,
  );
  const ids = rows.filter(({ address }) => isTo(address)).map(({ id }) => id);
  await sql`delete from jobs.job where name = 'mail'
    and (data ->> 'userId' = ${String(userId)} or id = any(${ids}::uuid[]))`.execute(tx);
}
