import { type SqlBool, sql } from 'kysely';
import { SERVICE } from '../../access/caller.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import { recordAudit } from '../../db/audit.ts';
import { lockDelegations, lockSharedSites } from '../../db/delegations.ts';
import { isOutage } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';
import { forgetFormerMails } from '../../delivery/mail/former-queue.ts';
import type { Platform } from '../../platform.ts';
import { endAccess } from './end-access.ts';
import { obstaclesOf } from './obstacles.ts';

/** Accounts that one run deletes, each in a transaction. */
const BATCH_SIZE = 200;

/** An account that came to own something meanwhile, or whose deletion failed, is tried again, in milliseconds. */
const RETRY_MS = 24 * 60 * 60 * 1000;

/** The same after an outage of the database or another request in the way. */
const OUTAGE_RETRY_MS = 60 * 60 * 1000;

/** Details of audit records that name the account they are about. */
const NAMING_DETAILS = ['first_name', 'last_name', 'email', 'phone_number', 'name', 'description'];

type Removing = Pick<Platform, 'db' | 'clock' | 'logger'>;

/** Deletes accounts whose time has come. One whose deletion fails is tried again later, after all others. */
export async function removeDueAccounts(platform: Removing): Promise<void> {
  const { db, clock, logger } = platform;
  const due = await db
    .selectFrom('account_deletions')
    .select('user_id as userId')
    .where('due_at', '<=', new Date(clock.now()))
    .orderBy('due_at')
    .limit(BATCH_SIZE)
    .execute();
  for (const { userId } of due) {
    try {
      await db.transaction().execute((tx) => remove(platform, tx, userId));
    } catch (err) {
      logger.warn({ err, account: userId }, 'an account could not be deleted; it is tried again later');
      await postpone(db, userId, new Date(clock.now()), isOutage(err) ? OUTAGE_RETRY_MS : RETRY_MS);
    }
  }
}

/** A request that was cancelled and made again meanwhile keeps its time. */
function postpone(db: Database, userId: number, at: Date, delayMs: number): Promise<unknown> {
  return db
    .updateTable('account_deletions')
    .set({ due_at: new Date(at.getTime() + delayMs) })
    .where('user_id', '=', userId)
    .where('due_at', '<=', at)
    .execute();
}

async function remove({ clock, logger }: Removing, tx: Database, userId: number): Promise<void> {
  const at = new Date(clock.now());
  const isOfAccount = sql<SqlBool>`(delegations.user_id = ${userId} or delegations.author_id = ${userId})`;
  await lockSharedSites(tx, isOfAccount);
  // In the order in which requests lock, so that one that cancels comes before or after.
  const account = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  const pending = await tx
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('due_at', '<=', at)
    .executeTakeFirst();
  if (account === undefined || pending === undefined) return;
  const [obstacle] = await obstaclesOf(tx, userId);
  if (obstacle !== undefined) {
    await postpone(tx, userId, at, RETRY_MS);
    logger.warn({ account: userId, obstacle: obstacle.kind }, 'an account could not be deleted yet');
    return;
  }
  await lockDelegations(tx, isOfAccount);
  await endAccess(tx, SERVICE, userId, sql<SqlBool>`user_id = ${userId}`, clock);
  await forgetInOrders(tx, userId);
  await forgetInTickets(tx, userId);
  await forgetInRecoverySessions(tx, userId);
  await forgetInMails(tx, userId, account.email);
  await forgetInArchives(tx, userId);
  await forgetInAlerts(tx, userId);
  await forgetInAudit(tx, userId);
  await recordAudit(tx, SERVICE, at, { action: 'account.deleted', userId });
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}

/** Bookkeeping keeps amounts, taxes and the country that they depend on. */
async function forgetInOrders(tx: Database, userId: number): Promise<void> {
  const countryOf = (column: string) => sql`case when ${sql.ref(column)} is not null then jsonb_build_object(
    'name', '', 'company', null, 'line1', '', 'line2', null, 'city', '', 'postal_code', null, 'phone', null,
    'vat_number', null, 'region', ${sql.ref(column)} -> 'region', 'country', ${sql.ref(column)} -> 'country') end`;
  await sql`update orders set email = '', first_name = '', last_name = '', note = null,
    billing_address = ${countryOf('billing_address')}, shipping_address = ${countryOf('shipping_address')}
    where user_id = ${userId}`.execute(tx);
}

/** The person's own tickets go, with their files; what they wrote for support stays without their name. */
async function forgetInTickets(tx: Database, userId: number): Promise<void> {
  await tx
    .deleteFrom('ticket_attachments')
    .where('owner_id', '=', userId)
    .where('message_id', 'is', null)
    .execute();
  await tx.deleteFrom('tickets').where('requester_id', '=', userId).execute();
}

/** The reasons that the person gave when they let support in. The reasons that support gave stay, without a name. */
async function forgetInRecoverySessions(tx: Database, userId: number): Promise<void> {
  await sql`update recovery_sessions set reason = ''
    where requested_by = ${userId} and request_expires_at is null`.execute(tx);
  await sql`update audit_events as events set details = events.details - 'reason' from audit_events as opened
    where opened.action = 'recovery_session.opened' and opened.actor_id = ${userId}
      and events.site_id = opened.site_id and events.action like 'recovery_session.%'
      and events.details -> 'recovery_session' = opened.details -> 'recovery_session'`.execute(tx);
}

/** Archives that others made of sites which have the person among their people, or in their log: they are made again. */
async function forgetInArchives(tx: Database, userId: number): Promise<void> {
  await sql`delete from data_exports where site_id is not null and (
    exists (select from site_members as members
      where members.site_id = data_exports.site_id and members.user_id = ${userId})
    or exists (select from audit_events as events where events.site_id = data_exports.site_id
      and (events.actor_id = ${userId} or events.user_id = ${userId})))`.execute(tx);
}

/** Mails that wait or were sent, as far as this service has them. */
async function forgetInMails(tx: Database, userId: number, email: string): Promise<void> {
  // A request for another password has the address as it was typed.
  const isTo = (typed: string): boolean => emailKey(typed) === emailKey(email);
  // The first, as mails move from there.
  await forgetFormerMails(tx, userId, isTo);
  const { rows: addressed } = await sql<{ id: string; typed: string }>`
    select id, payload ->> 'email' as typed from deliveries
    where kind = 'mail' and payload ->> 'email' is not null`.execute(tx);
  const ids = addressed.filter(({ typed }) => isTo(typed)).map(({ id }) => id);
  await sql`delete from deliveries where kind = 'mail'
    and (payload ->> 'userId' = ${String(userId)} or id = any(${ids}::bigint[]))`.execute(tx);
  await tx
    .deleteFrom('mailbox_messages')
    .where(sql<SqlBool>`folded(recipient) = folded(${email}) or strpos(folded(text), folded(${email})) > 0`)
    .execute();
}

/** Alerts stay acknowledged, by an account without a name. */
async function forgetInAlerts(tx: Database, userId: number): Promise<void> {
  await tx
    .updateTable('alerts')
    .set({ acknowledged_by: '' })
    .where('acknowledged_by_id', '=', userId)
    .execute();
}

/** Records stay, with the number of the account in place of the person. */
async function forgetInAudit(tx: Database, userId: number): Promise<void> {
  await sql`update audit_events set address = null
    where address is not null and (actor_id = ${userId} or user_id = ${userId})`.execute(tx);
  await sql`update audit_events set details = details - ${NAMING_DETAILS}::text[]
    where user_id = ${userId}`.execute(tx);
}
