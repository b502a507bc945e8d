import { sql } from 'kysely';
import { accountCaller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import type { Database } from '../../db/open.ts';

/** As many as the pages count. */
const MOST = 200;

/** The open alerts of all sites that an account sees, as its page of alerts counts them. */
export async function countOpenAlerts(db: Database, userId: number): Promise<number> {
  const { staff } = await db
    .selectFrom('users')
    .select('staff')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from alerts join sites on sites.id = alerts.site_id
    where alerts.cleared_at is null and ${visibleTo(accountCaller(userId, staff))} limit ${MOST}) as open`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
