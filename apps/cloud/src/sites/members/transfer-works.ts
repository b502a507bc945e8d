import { type SqlBool, sql } from 'kysely';
import { SERVICE } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { isSetUp } from '../../db/site-invitations.ts';
import type { Work } from '../../delivery/due-work.ts';
import type { Mails, Platform } from '../../platform.ts';
import { endFormerMembership } from './end-membership.ts';
import { TRANSFER_LIFETIME_MS, TRANSFER_NOTICE_MS } from './invitation-rows.ts';
import { findMember, lockSite } from './rows.ts';

/** Handovers that one run ends, each in a transaction. */
const BATCH_SIZE = 200;

/** Ends handovers that were not accepted in time: as with an acceptance, the former owner has no role afterwards. */
export function transferWorks(platform: Platform): Work[] {
  const { db, mail, clock } = platform;
  const reminded = (at: Date) => new Date(at.getTime() + TRANSFER_NOTICE_MS);
  return [
    {
      name: 'handovers that end',
      isDue: (at) => sql`exists (select from site_transfers where ends_at <= ${at})`,
      run: async () => {
        const at = new Date(clock.now());
        for (const siteId of await endedTransfers(db, at, BATCH_SIZE))
          await db.transaction().execute((tx) => end(platform, tx, siteId, at));
      },
    },
    {
      name: 'reminders of handovers',
      isDue: (at) =>
        sql`exists (select from site_transfers where reminded_at is null and ends_at <= ${reminded(at)})`,
      run: () => {
        const at = new Date(clock.now());
        return db.transaction().execute((tx) => remind(tx, mail, reminded(at), at));
      },
    },
  ];
}

async function end(platform: Platform, tx: Database, siteId: number, at: Date): Promise<void> {
  const { mail } = platform;
  const site = await lockSite(tx, siteId);
  if (await prolongTransfer(tx, siteId, at)) return;
  const formerId = await removeEndedTransfer(tx, siteId, at);
  if (site === undefined || formerId === undefined) return;
  const { organizationId, ownerId } = site;
  const owner = await findMember(tx, siteId, ownerId);
  const isPending = owner?.pending === true;
  const about = { kind: 'transferEnded', outcome: 'final', newOwnerId: ownerId, isPending } as const;
  const aboutSite = { siteId, organizationId, actorId: null, at: at.toISOString() };
  if (formerId !== null) {
    await endFormerMembership(platform, tx, SERVICE, site, formerId);
    await mail.enqueue(tx, { ...about, ...aboutSite, userId: formerId, reader: 'former' });
  }
  // A site sends no second mail to a person who has not accepted it.
  if (!isPending) await mail.enqueue(tx, { ...about, ...aboutSite, userId: ownerId, reader: 'new' });
}

/** A former owner whose role ended cannot recall the site. */
async function remind(tx: Database, mail: Mails, until: Date, at: Date): Promise<void> {
  for (const { siteId, formerMemberId: userId } of await takeTransfersToRemindOf(tx, until, at)) {
    if (userId !== null)
      await mail.enqueue(tx, {
        kind: 'transferDue',
        userId,
        siteId,
        organizationId: await organizationOf(tx, siteId),
      });
  }
}

async function organizationOf(tx: Database, siteId: number): Promise<number | null> {
  const { organizationId } = await tx
    .selectFrom('sites')
    .select('organization_id as organizationId')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  return organizationId;
}

/** Sites of which the handover is over, the oldest first. */
async function endedTransfers(db: Database, at: Date, limit: number): Promise<number[]> {
  const ended = await db
    .selectFrom('site_transfers')
    .select('site_id as siteId')
    .where('ends_at', '<=', at)
    .orderBy('ends_at')
    .limit(limit)
    .execute();
  return ended.map(({ siteId }) => siteId);
}

/**
 * Prolongs a handover that would be over while no person has set up the account of the new owner: without the former
 * one the home would have no one. Where the account was set up after the reminder, which had no time of the end, it ends
 * after another one. @returns whether it did
 */
async function prolongTransfer(tx: Database, siteId: number, at: Date): Promise<boolean> {
  const endAfter = (ms: number) => new Date(at.getTime() + ms);
  const prolonged = await tx
    .updateTable('site_transfers')
    .from('sites')
    .innerJoin('users as owners', 'owners.id', 'sites.owner_id')
    .set({
      ends_at: sql<Date>`case when ${isSetUp('owners')} then ${endAfter(TRANSFER_NOTICE_MS)}::timestamptz
        else ${endAfter(TRANSFER_LIFETIME_MS)}::timestamptz end`,
      reminded_at: null,
      reminded_without_account: false,
    })
    .whereRef('sites.id', '=', 'site_transfers.site_id')
    .where('site_id', '=', siteId)
    .where('ends_at', '<=', at)
    .where('former_member_id', 'is not', null)
    .where(sql<SqlBool>`(reminded_without_account or not ${isSetUp('owners')})`)
    .returning('site_id')
    .executeTakeFirst();
  return prolonged !== undefined;
}

/** Removes a handover that is over. @returns as {@link formerMemberOf}; undefined without a handover */
async function removeEndedTransfer(
  tx: Database,
  siteId: number,
  at: Date,
): Promise<number | null | undefined> {
  const removed = await tx
    .deleteFrom('site_transfers')
    .where('site_id', '=', siteId)
    .where('ends_at', '<=', at)
    .returning('former_member_id as id')
    .executeTakeFirst();
  return removed?.id;
}

/** Handovers that end until `until`, each of them once: they count as those whose former owner was reminded. */
async function takeTransfersToRemindOf(
  tx: Database,
  until: Date,
  at: Date,
): Promise<{ siteId: number; formerMemberId: number | null }[]> {
  return tx
    .updateTable('site_transfers')
    .from('sites')
    .innerJoin('users as owners', 'owners.id', 'sites.owner_id')
    .set({ reminded_at: at, reminded_without_account: sql<boolean>`not ${isSetUp('owners')}` })
    .whereRef('sites.id', '=', 'site_transfers.site_id')
    .where('reminded_at', 'is', null)
    .where('ends_at', '<=', until)
    .returning(['site_id as siteId', 'former_member_id as formerMemberId'])
    .execute();
}
