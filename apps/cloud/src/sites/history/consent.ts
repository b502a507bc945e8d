import type { SiteHistoryConsent } from '@heliograph/contracts';
import { Forbidden, NotFound } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { PostgresHistoryStore } from './postgres-store.ts';

/** Whether the owner of a site agreed that the cloud keeps its history. */
export async function getSiteHistoryConsent(
  { db }: Platform,
  _caller: Caller,
  { site: { id, ownerId } }: InputOf<'getSiteHistoryConsent'>,
): Promise<SiteHistoryConsent> {
  const found = await db
    .selectFrom('site_history_consents')
    .select(['agreed', 'decided_at as decidedAt'])
    .where('site_id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return { agreed: found?.agreed ?? false, decided_at: found?.decidedAt.toISOString() ?? null };
}

/** Withdrawing deletes what is kept. @throws NotFound; Forbidden for others than the owner, operators included */
export async function setSiteHistoryConsent(
  { db, clock }: Platform,
  caller: Caller,
  { site: { id: siteId, ownerId }, body: { agreed } }: InputOf<'setSiteHistoryConsent'>,
): Promise<SiteHistoryConsent> {
  if (caller.userId !== ownerId) throw new Forbidden('Only the owner of the site may decide this');
  const decidedAt = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    // Waits for a change of its owner.
    const site = await tx
      .selectFrom('sites')
      .select(['owner_id as ownerId', 'organization_id as organizationId'])
      .where('id', '=', siteId)
      .forUpdate()
      .executeTakeFirst();
    if (site?.ownerId !== ownerId) throw new NotFound();
    const before = await tx
      .selectFrom('site_history_consents')
      .select(['agreed', 'owner_id as byOwner', 'decided_at as at'])
      .where('site_id', '=', siteId)
      .forUpdate()
      .executeTakeFirst();
    if (before?.byOwner === ownerId && before.agreed === agreed)
      return { agreed, decided_at: before.at.toISOString() };
    const decision = { owner_id: ownerId, agreed, decided_at: decidedAt };
    await tx
      .insertInto('site_history_consents')
      .values({ site_id: siteId, ...decision })
      .onConflict((conflict) => conflict.column('site_id').doUpdateSet(decision))
      .execute();
    if (!agreed) await new PostgresHistoryStore(db).remove(tx, siteId);
    const action = agreed ? 'site.history_agreed' : 'site.history_withdrawn';
    const about = { siteId, organizationId: site.organizationId, userId: ownerId };
    await recordAudit(tx, actorOf(caller), decidedAt, { action, ...about });
    return { agreed, decided_at: decidedAt.toISOString() };
  });
}

/** When the present owner of a site agreed; undefined where they did not. */
export async function agreedAt(
  db: Database,
  siteId: number,
  lock: '' | 'for no key update of consents' = '',
): Promise<Date | undefined> {
  const [consent] = await runPrepared<{ at: Date }>(
    db,
    `select consents.decided_at as at from site_history_consents as consents
      join sites on sites.id = consents.site_id and sites.owner_id = consents.owner_id
      where consents.site_id = $1 and consents.agreed ${lock}`,
    [siteId],
  );
  return consent?.at;
}

export function isoOf(at: Date | undefined): string | null {
  return at?.toISOString() ?? null;
}
