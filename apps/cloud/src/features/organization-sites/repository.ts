import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';

export interface Share {
  readonly organizationId: number;
  readonly siteId: number;
}

/** Sites that organizations may read besides their own. */
export class OrganizationSiteRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Changes nothing and records nothing when the organization has the site already. */
  async add(share: Share, grantedBy: number, actor: Actor, at: Date): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const added = await tx
        .insertInto('organization_sites')
        .values({
          organization_id: share.organizationId,
          site_id: share.siteId,
          granted_by: grantedBy,
          created_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('site_id')
        .executeTakeFirst();
      if (added !== undefined)
        await recordAudit(tx, actor, at, { action: 'organization_site.added', ...share });
    });
  }

  /** @returns false when the organization did not have the site */
  remove(share: Share, actor: Actor, at: Date): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const removed = await tx
        .deleteFrom('organization_sites')
        .where('organization_id', '=', share.organizationId)
        .where('site_id', '=', share.siteId)
        .returning('site_id')
        .executeTakeFirst();
      if (removed === undefined) return false;
      await recordAudit(tx, actor, at, { action: 'organization_site.removed', ...share });
      return true;
    });
  }
}
