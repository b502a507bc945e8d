import type { Database } from './open.ts';

/** Deletes the history that is kept of a site, and its newest values. */
export async function removeSiteHistory(tx: Database, siteId: number): Promise<void> {
  await tx.deleteFrom('site_history_days').where('site_id', '=', siteId).execute();
  await tx.deleteFrom('site_newest_values').where('site_id', '=', siteId).execute();
}
