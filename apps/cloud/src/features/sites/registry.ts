import { type Actor, recordAudit } from '../../db/audit.ts';
import { isUniqueViolation } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';

/** Another site has the name, and so the hostname, in the same region. */
export class SiteNameTaken extends Error {
  override readonly name = 'SiteNameTaken';
}

export interface NewSite {
  readonly name: string | null;
  readonly description: string | null;
  readonly region: string;
  readonly ownerId: number;
  readonly organizationId: number | null;
}

/** The result of a claim; only `claimed` is a change. */
export type Claim =
  | { readonly outcome: 'unknown' | 'inactive' }
  | { readonly outcome: 'registered' | 'claimed'; readonly siteId: number };

export interface Change {
  readonly actor: Actor;
  readonly at: Date;
}

/** Stores sites, their devices and their names. */
export class SiteRegistry {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Creates a site for an activated device that has none.
   *
   * @param site called only when there is a site to create; an error of it rolls the claim back
   * @throws SiteNameTaken
   */
  claim(
    uid: string,
    site: (requestedRegion: string | null) => NewSite,
    { actor, at }: Change,
  ): Promise<Claim> {
    return this.#withUniqueName(async (tx) => {
      const device = await tx
        .selectFrom('devices')
        .select([
          'site_id as siteId',
          'activated_at as activatedAt',
          'revoked_at as revokedAt',
          'asked_region as requestedRegion',
        ])
        .where('uid', '=', uid)
        .forUpdate()
        .executeTakeFirst();
      if (device === undefined) return { outcome: 'unknown' };
      if (device.siteId !== null) return { outcome: 'registered', siteId: device.siteId };
      // A revoked device would never come online.
      if (device.revokedAt !== null) return { outcome: 'unknown' };
      if (device.activatedAt === null) return { outcome: 'inactive' };
      const made = site(device.requestedRegion);
      const siteId = await insertSite(tx, made);
      await tx.updateTable('devices').set({ site_id: siteId }).where('uid', '=', uid).execute();
      await recordAudit(tx, actor, at, {
        action: 'site.registered',
        organizationId: made.organizationId,
        siteId,
        userId: made.ownerId,
        deviceUid: uid,
        details: { name: made.name },
      });
      return { outcome: 'claimed', siteId };
    });
  }

  /** No change and no record when the name is the same. @throws SiteNameTaken */
  rename(siteId: number, name: string, { actor, at }: Change): Promise<void> {
    return this.#withUniqueName(async (tx) => {
      const { from, organizationId } = await tx
        .selectFrom('sites')
        .select(['name as from', 'organization_id as organizationId'])
        .where('id', '=', siteId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (from === name) return;
      await tx.updateTable('sites').set({ name }).where('id', '=', siteId).execute();
      const details = { from, to: name };
      await recordAudit(tx, actor, at, { action: 'site.renamed', organizationId, siteId, details });
    });
  }

  /** No change and no record when the description is the same. */
  describe(siteId: number, description: string | null, { actor, at }: Change): Promise<void> {
    return this.#db.transaction().execute(async (tx) => {
      const { from, organizationId } = await tx
        .selectFrom('sites')
        .select(['description as from', 'organization_id as organizationId'])
        .where('id', '=', siteId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (from === description) return;
      await tx.updateTable('sites').set({ description }).where('id', '=', siteId).execute();
      const details = { from, to: description };
      await recordAudit(tx, actor, at, { action: 'site.described', organizationId, siteId, details });
    });
  }

  async #withUniqueName<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    try {
      return await this.#db.transaction().execute(work);
    } catch (error) {
      throw isUniqueViolation(error, 'sites_hostname') ? new SiteNameTaken() : error;
    }
  }
}

async function insertSite(db: Database, site: NewSite): Promise<number> {
  const { id } = await db
    .insertInto('sites')
    .values({
      name: site.name,
      description: site.description,
      region: site.region,
      owner_id: site.ownerId,
      organization_id: site.organizationId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
