import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { spendRegistrationCode } from '../../db/registration-codes.ts';
import { withUniqueName } from './site-name.ts';

export interface NewSite {
  readonly name: string | null;
  readonly description: string | null;
  readonly region: string;
  readonly ownerId: number;
  readonly organizationId: number | null;
}

/** The result of a claim; only `claimed` is a change. */
export type Claim =
  | { readonly outcome: 'unknown' | 'inactive' | 'locked' }
  | { readonly outcome: 'registered' | 'claimed'; readonly siteId: number };

/** Stores new sites. */
export class SiteRegistry {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Creates a site for an activated device that has none. One that was released takes a registration code, which is spent.
   *
   * @param code as it was typed; null without one
   * @param site called only when there is a site to create; an error of it rolls the claim back
   * @throws ValidationError for a name that is taken
   */
  claim(
    { uid, code }: { readonly uid: string; readonly code: string | null },
    site: (requestedRegion: string | null) => NewSite,
    actor: Actor,
    at: Date,
  ): Promise<Claim> {
    return withUniqueName(this.#db, async (tx) => {
      const device = await tx
        .selectFrom('devices')
        .select([
          'site_id as siteId',
          'former_site_id as formerSiteId',
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
      if (device.formerSiteId !== null) {
        const isSpent = code !== null && (await spendRegistrationCode(tx, uid, code, at));
        if (!isSpent) return { outcome: 'locked' };
      }
      const wanted = site(device.requestedRegion);
      const made = { ...wanted, organizationId: await openOrganization(tx, wanted.organizationId) };
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
