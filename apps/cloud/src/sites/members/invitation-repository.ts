import type { SiteRole } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import type { Database } from '../../db/open.ts';
import { isSetUp } from '../../db/site-invitations.ts';

/** An account and the site that it was added to. */
export interface Membership {
  readonly siteId: number;
  readonly userId: number;
}

export interface NewSiteInvitation extends Membership {
  /** As the inviter gave them. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly invitedBy: number | null;
}

/** How long a handover can be recalled and declined, in milliseconds. */
export const TRANSFER_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Before the end of a handover its former owner is mailed the time of that end, in milliseconds. */
export const TRANSFER_NOTICE_MS = 7 * 24 * 60 * 60 * 1000;

/** A handover that the new owner has not accepted. */
export interface PendingTransfer {
  readonly formerOwnerId: number;
  /** The former owner while the role of the handover lasts; null from its end on, also with a role that was given since. */
  readonly formerMemberId: number | null;
  /** The role that the new owner had before. */
  readonly formerRole: Exclude<SiteRole, 'owner'> | null;
}

export interface ReceivedSiteInvitation {
  readonly siteId: number;
  readonly siteName: string | null;
  readonly role: SiteRole;
  readonly inviterName: string | null;
  readonly inviterEmail: string | null;
  readonly formerOwnerName: string | null;
  readonly isTransfer: boolean;
  readonly createdAt: Date;
}

/** Roles on sites, and the ownership of sites, that accounts have not accepted yet. */
export class SiteInvitationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Sites that the caller was added to or that were handed over to the caller, the newest first. */
  received(caller: Caller): Promise<ReceivedSiteInvitation[]> {
    const { userId } = caller;
    return this.#db
      .selectFrom('sites')
      .leftJoin('site_members as members', (join) =>
        join.onRef('members.site_id', '=', 'sites.id').on('members.user_id', '=', userId),
      )
      .leftJoin('site_invitations as invitations', (join) =>
        join.onRef('invitations.site_id', '=', 'sites.id').on('invitations.user_id', '=', userId),
      )
      .leftJoin('site_transfers as transfers', (join) =>
        join.onRef('transfers.site_id', '=', 'sites.id').on('sites.owner_id', '=', userId),
      )
      .leftJoin('users as inviters', 'inviters.id', 'invitations.invited_by')
      .leftJoin('users as former', 'former.id', 'transfers.former_owner_id')
      .select([
        'sites.id as siteId',
        'sites.name as siteName',
        sql<SiteRole>`case when sites.owner_id = ${userId} then 'owner' else members.role end`.as('role'),
        // Operators act for the service.
        sql<string | null>`case when not inviters.staff
          then nullif(trim(inviters.first_name || ' ' || inviters.last_name), '') end`.as('inviterName'),
        sql<string | null>`case when not inviters.staff then inviters.email end`.as('inviterEmail'),
        sql<
          string | null
        >`coalesce(nullif(trim(former.first_name || ' ' || former.last_name), ''), former.email)`.as(
          'formerOwnerName',
        ),
        sql<boolean>`transfers.site_id is not null`.as('isTransfer'),
        sql<Date>`coalesce(transfers.created_at, invitations.created_at)`.as('createdAt'),
      ])
      .where(
        sql<SqlBool>`sites.id in (select site_id from site_invitations where user_id = ${userId}
          union select site_transfers.site_id from site_transfers join sites as owned on owned.id = site_transfers.site_id
            where owned.owner_id = ${userId})
          and (sites.owner_id = ${userId} or members.user_id is not null)`,
      )
      .where(visibleTo(caller))
      .orderBy('createdAt', 'desc')
      .orderBy('sites.id', 'desc')
      .execute();
  }

  /** Names that are empty leave those of an earlier invitation. */
  async upsert(tx: Database, invitation: NewSiteInvitation, at: Date): Promise<void> {
    const { siteId, userId, email, firstName, lastName, invitedBy } = invitation;
    await tx
      .insertInto('site_invitations')
      .values({
        site_id: siteId,
        user_id: userId,
        email,
        first_name: firstName,
        last_name: lastName,
        invited_by: invitedBy,
        created_at: at,
      })
      .onConflict((conflict) =>
        conflict.columns(['site_id', 'user_id']).doUpdateSet({
          first_name: sql`coalesce(nullif(excluded.first_name, ''), site_invitations.first_name)`,
          last_name: sql`coalesce(nullif(excluded.last_name, ''), site_invitations.last_name)`,
        }),
      )
      .execute();
  }

  /** @returns whether there was one */
  async remove(tx: Database, { siteId, userId }: Membership): Promise<boolean> {
    const removed = await tx
      .deleteFrom('site_invitations')
      .where('site_id', '=', siteId)
      .where('user_id', '=', userId)
      .returning('site_id')
      .executeTakeFirst();
    return removed !== undefined;
  }

  /** @returns undefined also after its end */
  transfer(siteId: number, at: Date, db: Database = this.#db): Promise<PendingTransfer | undefined> {
    return db
      .selectFrom('site_transfers')
      .select([
        'former_owner_id as formerOwnerId',
        'former_member_id as formerMemberId',
        'former_role as formerRole',
      ])
      .where('site_id', '=', siteId)
      .where('ends_at', '>', at)
      .executeTakeFirst();
  }

  /** The owner before the present one, whose role lasts until the handover is accepted or ends; null without one. */
  async formerMember(tx: Database, siteId: number): Promise<number | null> {
    const transfer = await tx
      .selectFrom('site_transfers')
      .select('former_member_id as id')
      .where('site_id', '=', siteId)
      .executeTakeFirst();
    return transfer?.id ?? null;
  }

  /**
   * Called once the former owner has the role that lasts until the end of the handover.
   *
   * @param transfer undefined for a site that its owner has accepted
   */
  async setTransfer(
    tx: Database,
    siteId: number,
    transfer: Omit<PendingTransfer, 'formerMemberId'> | undefined,
    at: Date,
  ): Promise<void> {
    await tx.deleteFrom('site_transfers').where('site_id', '=', siteId).execute();
    if (transfer === undefined) return;
    const { formerOwnerId, formerRole } = transfer;
    await tx
      .insertInto('site_transfers')
      .values({
        site_id: siteId,
        former_owner_id: formerOwnerId,
        former_member_id: formerOwnerId,
        former_role: formerRole,
        created_at: at,
        ends_at: new Date(at.getTime() + TRANSFER_LIFETIME_MS),
      })
      .execute();
  }

  /** Sites of which the handover is over, the oldest first. */
  async endedTransfers(at: Date, limit: number): Promise<number[]> {
    const ended = await this.#db
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
  async prolongTransfer(tx: Database, siteId: number, at: Date): Promise<boolean> {
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

  /** Removes a handover that is over. @returns as {@link formerMember}; undefined without a handover */
  async removeEndedTransfer(tx: Database, siteId: number, at: Date): Promise<number | null | undefined> {
    const removed = await tx
      .deleteFrom('site_transfers')
      .where('site_id', '=', siteId)
      .where('ends_at', '<=', at)
      .returning('former_member_id as id')
      .executeTakeFirst();
    return removed?.id;
  }

  /** Handovers that end until `until`, each of them once: they count as those whose former owner was reminded. */
  async takeTransfersToRemindOf(
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
}
