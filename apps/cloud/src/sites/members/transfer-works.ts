import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import { SERVICE } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { Work } from '../../delivery/due-work.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { endFormerMembership } from './end-membership.ts';
import { type SiteInvitationRepository, TRANSFER_NOTICE_MS } from './invitation-repository.ts';
import type { MemberRepository } from './repository.ts';

/** Handovers that one run ends, each in a transaction. */
const BATCH_SIZE = 200;

export interface TransferWorkOptions {
  readonly db: Database;
  readonly members: MemberRepository;
  readonly pending: SiteInvitationRepository;
  readonly mail: MailService;
  readonly clock: Clock;
}

/** Ends handovers that were not accepted in time: as with an acceptance, the former owner has no role afterwards. */
export function transferWorks(options: TransferWorkOptions): Work[] {
  const { db, pending, clock } = options;
  const reminded = (at: Date) => new Date(at.getTime() + TRANSFER_NOTICE_MS);
  return [
    {
      name: 'handovers that end',
      isDue: (at) => sql`exists (select from site_transfers where ends_at <= ${at})`,
      run: async () => {
        const at = new Date(clock.now());
        for (const siteId of await pending.endedTransfers(at, BATCH_SIZE))
          await db.transaction().execute((tx) => end(tx, options, siteId, at));
      },
    },
    {
      name: 'reminders of handovers',
      isDue: (at) =>
        sql`exists (select from site_transfers where reminded_at is null and ends_at <= ${reminded(at)})`,
      run: () => {
        const at = new Date(clock.now());
        return db.transaction().execute((tx) => remind(tx, options, reminded(at), at));
      },
    },
  ];
}

async function end(tx: Database, options: TransferWorkOptions, siteId: number, at: Date): Promise<void> {
  const { members, pending, mail } = options;
  const site = await members.lock(tx, siteId);
  if (await pending.prolongTransfer(tx, siteId, at)) return;
  const formerId = await pending.removeEndedTransfer(tx, siteId, at);
  if (site === undefined || formerId === undefined) return;
  const { organizationId, ownerId } = site;
  const owner = await members.member(siteId, ownerId, tx);
  const isPending = owner?.pending === true;
  const about = { kind: 'transferEnded', outcome: 'final', newOwnerId: ownerId, isPending } as const;
  const aboutSite = { siteId, organizationId, actorId: null, at: at.toISOString() };
  if (formerId !== null) {
    await endFormerMembership(tx, options, SERVICE, site, formerId);
    await mail.enqueue(tx, { ...about, ...aboutSite, userId: formerId, reader: 'former' });
  }
  // A site sends no second mail to a person who has not accepted it.
  if (!isPending) await mail.enqueue(tx, { ...about, ...aboutSite, userId: ownerId, reader: 'new' });
}

/** A former owner whose role ended cannot recall the site. */
async function remind(
  tx: Database,
  { pending, mail }: TransferWorkOptions,
  until: Date,
  at: Date,
): Promise<void> {
  for (const { siteId, formerMemberId: userId } of await pending.takeTransfersToRemindOf(tx, until, at)) {
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
