import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeOrganizationAccess } from '../../db/revoke-organization-access.ts';

export interface Share {
  readonly organizationId: number;
  readonly siteId: number;
}

/** Sites that organizations can read besides their own. */
export class OrganizationSiteRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** No change and no record when the share exists. */
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

  /** Revokes site tokens of the organization's employees. @returns false when there is no such share */
  remove(share: Share, actor: Actor, clock: Clock): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      // Waits for site tokens that are being issued: these must be older than the revocation.
      await tx.selectFrom('sites').select('id').where('id', '=', share.siteId).forNoKeyUpdate().execute();
      const removed = await tx
        .deleteFrom('organization_sites')
        .where('organization_id', '=', share.organizationId)
        .where('site_id', '=', share.siteId)
        .returning('site_id')
        .executeTakeFirst();
      if (removed === undefined) return false;
      const at = new Date(clock.now());
      await revokeOrganizationAccess(tx, share.organizationId, sql`sites.id = ${share.siteId}`, at);
      await recordAudit(tx, actor, at, { action: 'organization_site.removed', ...share });
      return true;
    });
  }
}
