import { type Clock, NotFound } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeGrants } from '../connections/service.ts';

export interface SiteReleaseOptions {
  readonly db: Database;
  readonly access: SiteAccess;
  readonly clock: Clock;
}

/** Ends sites, whose devices anyone may register anew. */
export class SiteRelease {
  readonly #options: SiteReleaseOptions;

  constructor(options: SiteReleaseOptions) {
    this.#options = options;
  }

  /**
   * The device keeps its history, and every stream to it ends: the database dismisses its sessions.
   *
   * @throws NotFound; Forbidden for others than the owner and operators; FreshSignInRequired
   */
  async release(caller: Caller, siteId: number): Promise<void> {
    const { db, access, clock } = this.#options;
    await access.require(caller, siteId, 'own');
    requireFreshSignIn(caller, clock.now());
    await db.transaction().execute(async (tx) => {
      // Waits for a change of its owner, which may be another account by then.
      const site = await tx
        .selectFrom('sites')
        .select(['name', 'owner_id as ownerId', 'organization_id as organizationId'])
        .where('id', '=', siteId)
        .forUpdate()
        .executeTakeFirst();
      if (site === undefined) throw new NotFound();
      const { name, ownerId, organizationId } = site;
      if (!caller.staff && ownerId !== caller.userId) throw new NotFound();
      const actor = actorOf(caller);
      await revokeGrants(tx, sql<SqlBool>`oauth_grants.site_id = ${siteId}`, actor, clock);
      const device = await tx
        .selectFrom('devices')
        .select('uid')
        .where('site_id', '=', siteId)
        .executeTakeFirst();
      const about = { siteId, organizationId, userId: ownerId, deviceUid: device?.uid ?? null };
      const at = new Date(clock.now());
      await recordAudit(tx, actor, at, { action: 'site.released', ...about, details: { name } });
      await tx.deleteFrom('sites').where('id', '=', siteId).execute();
    });
  }
}
