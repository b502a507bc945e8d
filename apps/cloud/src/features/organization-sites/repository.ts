import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeSiteTokensOfUsers, revokeSiteTokensWhere } from '../../db/site-tokens.ts';

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
      await revokeAccess(tx, share, at);
      await recordAudit(tx, actor, at, { action: 'organization_site.removed', ...share });
      return true;
    });
  }
}

/**
 * Revokes site tokens of the organization's employees without another way to the site, and those issued for tokens
 * and sessions of the organization, also to accounts with another way.
 */
async function revokeAccess(tx: Database, { organizationId, siteId }: Share, at: Date): Promise<void> {
  const lost = sql`select sites.id as site_id, employees.user_id
    from sites join organization_members as employees on employees.organization_id = ${organizationId}
    where sites.id = ${siteId} and sites.owner_id <> employees.user_id
    and sites.organization_id is distinct from ${organizationId}
    and not exists (select from site_members where site_id = sites.id and user_id = employees.user_id)
    and not exists (select from organization_members as others
      where others.user_id = employees.user_id and (others.organization_id = sites.organization_id
        or exists (select from organization_sites as shared
          where shared.site_id = sites.id and shared.organization_id = others.organization_id)))`;
  await revokeSiteTokensOfUsers(tx, lost, at);
  const ofOrganization = sql`site_id = ${siteId} and source in (
    select 'token:' || id from tokens where organization_id = ${organizationId})
    and not exists (select from sites where id = ${siteId} and organization_id = ${organizationId})`;
  await revokeSiteTokensWhere(tx, ofOrganization, at);
}
