import type { DelegationKind, DelegationSuspension, ReportedDelegation } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Actor, recordAudits } from './audit.ts';
import type { Database } from './open.ts';
import { revokeOrganizationAccess } from './revoke-organization-access.ts';
import { revokeTokens } from './revoke-tokens.ts';

/** The subject of a delegation, and whose it is. */
export interface NewDelegation {
  readonly kind: DelegationKind;
  readonly webhookId?: number;
  readonly clientId?: string;
  readonly activationCodeId?: number;
  readonly grantId?: string;
  readonly pushSubscriptionId?: number;
  /** Of an account's own. */
  readonly userId?: number | null;
  readonly organizationId?: number | null;
  readonly siteId?: number | null;
}

/** The actor of what the service suspends. */
export const SERVICE: Actor = { userId: null, tokenId: null, via: 'service', address: null };

/** The account that makes or keeps a delegation, and its credential. */
export type Author = Pick<Actor, 'userId' | 'tokenId'>;

/** Stores who made a delegation, in place of an earlier record of it. Called with the transaction that makes it. */
export async function addDelegation(
  tx: Database,
  author: Author,
  made: NewDelegation,
  at: Date,
): Promise<void> {
  await removeDelegation(tx, made);
  const { kind, webhookId, clientId, activationCodeId, grantId, pushSubscriptionId } = made;
  const { userId, organizationId, siteId } = made;
  await tx
    .insertInto('delegations')
    .values({
      kind,
      webhook_id: webhookId ?? null,
      client_id: clientId ?? null,
      activation_code_id: activationCodeId ?? null,
      grant_id: grantId ?? null,
      push_subscription_id: pushSubscriptionId ?? null,
      user_id: userId ?? null,
      organization_id: organizationId ?? null,
      site_id: siteId ?? null,
      ...(await authorColumns(tx, author)),
      created_at: at,
    })
    .execute();
}

/**
 * Removes the record of a delegation whose subject has no row that takes it along, or of which a new one is made.
 *
 * @returns whether there was one
 */
export async function removeDelegation(tx: Database, made: NewDelegation): Promise<boolean> {
  const { rows } = await sql`delete from delegations where kind = ${made.kind} and case kind
    when 'webhook' then webhook_id = ${made.webhookId ?? null}::integer
    when 'application' then client_id = ${made.clientId ?? null}::text
    when 'activation_code' then activation_code_id = ${made.activationCodeId ?? null}::integer
    when 'connection' then grant_id = ${made.grantId ?? null}::text
    when 'push' then push_subscription_id = ${made.pushSubscriptionId ?? null}::integer
    when 'share' then organization_id = ${made.organizationId ?? null}::integer
      and site_id = ${made.siteId ?? null}::integer
    else user_id = ${made.userId ?? null}::integer end returning id`.execute(tx);
  return rows.length > 0;
}

/**
 * Stores who chose where a delegation leads, or its secret, as its author: it ends with that account's right to it. A
 * suspended one stays suspended.
 *
 * @param which a condition on `delegations`
 */
export async function changeAuthor(tx: Database, author: Author, which: RawBuilder<SqlBool>): Promise<void> {
  await tx
    .updateTable('delegations')
    .set(await authorColumns(tx, author))
    .where(which)
    .execute();
}

async function authorColumns(tx: Database, { userId, tokenId }: Author) {
  const token =
    tokenId === null
      ? undefined
      : await tx
          .selectFrom('tokens')
          .select(['id', 'kind', 'name'])
          .where('id', '=', tokenId)
          .executeTakeFirst();
  return {
    author_id: userId,
    token_id: token?.id ?? null,
    token_kind: token?.kind ?? null,
    token_name: token?.name ?? null,
  };
}

/**
 * Why a delegation has lost its author, as a column of `delegations`; null while it has one. A session that ends takes
 * nothing along: a person made it.
 */
function lossOf(now: Date): RawBuilder<DelegationSuspension | null> {
  return sql`case
    when delegations.token_kind = 'api' and not exists (select from tokens where tokens.id = delegations.token_id
      and tokens.revoked_at is null and (tokens.expires_at is null or tokens.expires_at > ${now})) then 'token'
    when exists (select from account_deletions where account_deletions.user_id = delegations.author_id) then 'account'
    when delegations.kind = 'share' and delegations.author_id is not null and not exists (
      select from sites left join site_members as members
        on members.site_id = sites.id and members.user_id = delegations.author_id
      where sites.id = delegations.site_id
        and (sites.owner_id = delegations.author_id or members.role in ('owner', 'admin'))) then 'role'
    when delegations.kind in ('webhook', 'application', 'activation_code') and delegations.user_id is null
      and delegations.author_id is not null and not exists (
      select from users left join organization_members as employees
        on employees.user_id = users.id and employees.organization_id = delegations.organization_id
      where users.id = delegations.author_id and (users.staff or employees.role in ('owner', 'admin'))) then 'role'
    end`;
}

/** Delegations that can lose their author although their account goes on. */
const IS_BOUND = sql<SqlBool>`(delegations.user_id is null or delegations.token_kind = 'api')`;

export interface SuspensionOptions {
  readonly clock: Clock;
  /** Whether those who decide about it are mailed; without one they do so now. */
  readonly mails?: boolean;
}

/**
 * Locks sites that are shared. Transactions lock sites before accounts and organizations, these before delegations, and
 * delegations before what they let act.
 *
 * @param which a condition on `delegations`
 * @param others whether sites that other transactions have locked are waited for. Transactions that already have locks of
 *   a site, an account or an organization skip them, as the order would be another one
 * @returns the sites
 */
export async function lockSharedSites(
  tx: Database,
  which: RawBuilder<SqlBool>,
  others: 'wait' | 'skip' = 'wait',
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from sites where id in (
    select site_id from delegations where delegations.kind = 'share' and ${which})
    order by id for no key update ${others === 'skip' ? sql`skip locked` : sql``}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Locks delegations, after their sites and before what they let act. @param which a condition on `delegations` */
export async function lockDelegations(tx: Database, which: RawBuilder<SqlBool>): Promise<void> {
  await sql`select from delegations where ${which} order by id for update`.execute(tx);
}

/**
 * Suspends delegations whose author lost the right to them: nothing of them acts until a person keeps them. Called with
 * each transaction that takes a right away, once it has locked what it changes; what takes it away otherwise is found by a
 * work that looks each minute, and so are shares of sites that another transaction has locked.
 *
 * @param authors accounts whose delegations are looked at; 'all' is for a transaction of its own
 */
export async function suspendLapsed(
  tx: Database,
  authors: readonly number[] | 'all',
  { clock, mails = true }: SuspensionOptions,
): Promise<void> {
  const at = new Date(clock.now());
  const which =
    authors === 'all' ? IS_BOUND : sql<SqlBool>`delegations.author_id = any(${authors}::integer[])`;
  const shared = await lockSharedSites(
    tx,
    sql`delegations.suspended_at is null and ${which} and ${lossOf(at)} is not null`,
    authors === 'all' ? 'wait' : 'skip',
  );
  const { rows } = await sql<{
    id: number;
    kind: DelegationKind;
    webhookId: number | null;
    clientId: string | null;
    organizationId: number | null;
    siteId: number | null;
    userId: number | null;
    loss: DelegationSuspension;
  }>`
    with lapsed as (
      select delegations.id, ${lossOf(at)} as loss from delegations
      where delegations.suspended_at is null and ${which}
        -- A share that was lost since is found the next time.
        and (delegations.kind <> 'share' or delegations.site_id = any(${shared}::integer[]))
      order by delegations.id for update of delegations
    )
    update delegations set suspended_at = ${at}, suspended_for = lapsed.loss, mailed_at = ${mails ? null : at}
    from lapsed where lapsed.id = delegations.id and lapsed.loss is not null
    returning delegations.id, kind, webhook_id as "webhookId", client_id as "clientId",
      organization_id as "organizationId", site_id as "siteId", user_id as "userId", loss`.execute(tx);
  for (const { kind, webhookId, clientId, organizationId, siteId } of rows) {
    if (kind === 'webhook' && webhookId !== null) await switchOff(tx, webhookId);
    if (kind === 'application' && clientId !== null) await endTokensOf(tx, clientId, clock);
    if (kind === 'share' && organizationId !== null && siteId !== null)
      await unshare(tx, organizationId, siteId, clock);
  }
  const events = rows.map(({ id, kind, loss, organizationId, siteId, userId }) => ({
    action: 'delegation.suspended' as const,
    ...{ organizationId, siteId, userId },
    details: { id, kind, reason: loss },
  }));
  await recordAudits(tx, SERVICE, at, events);
}

/**
 * Suspends delegations in the configurations of devices, which learn of it when they call.
 *
 * @param which a condition on `device_delegations`
 */
export async function suspendOnDevices(
  tx: Database,
  actor: Actor,
  which: RawBuilder<SqlBool>,
  loss: DelegationSuspension,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{
    id: string;
    kind: ReportedDelegation['kind'];
    name: string;
    siteId: number;
    organizationId: number | null;
  }>`
    update device_delegations set suspended_at = ${at}, suspended_for = ${loss}
    from sites where sites.id = device_delegations.site_id and device_delegations.suspended_at is null and ${which}
    returning device_delegations.id, device_delegations.kind, device_delegations.subject as name,
      sites.id as "siteId", sites.organization_id as "organizationId"`.execute(tx);
  const events = rows.map(({ id, kind, name, siteId, organizationId }) => ({
    action: 'delegation.suspended' as const,
    ...{ organizationId, siteId },
    details: { id, kind: `device_${kind}`, name, reason: loss },
  }));
  await recordAudits(tx, actor, at, events);
}

async function switchOff(tx: Database, webhookId: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ enabled: false, ended: 'suspended', claimed_until: null })
    .where('id', '=', webhookId)
    .where('enabled', '=', true)
    .execute();
}

/** Users' consents stay: an application that is kept asks for new tokens. */
function endTokensOf(tx: Database, clientId: string, clock: Clock): Promise<unknown> {
  const which = sql<SqlBool>`grant_id in (select id from oauth_grants where client_id = ${clientId})`;
  return revokeTokens(tx, which, clock);
}

/** Ends the access of an organization to a site that was shared with it. */
export async function unshare(
  tx: Database,
  organizationId: number,
  siteId: number,
  clock: Clock,
): Promise<boolean> {
  // Waits for site tokens that are being issued: these must be older than the revocation.
  await tx.selectFrom('sites').select('id').where('id', '=', siteId).forNoKeyUpdate().execute();
  const removed = await tx
    .deleteFrom('organization_sites')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .returning('site_id')
    .executeTakeFirst();
  if (removed === undefined) return false;
  await revokeOrganizationAccess(tx, organizationId, sql`sites.id = ${siteId}`, new Date(clock.now()));
  return true;
}

/** Lets delegations act again, on behalf of another author. @param which a condition on `delegations` */
export async function resumeDelegations(
  tx: Database,
  author: Author | null,
  which: RawBuilder<SqlBool>,
  at: Date,
): Promise<void> {
  const resumed = await tx
    .updateTable('delegations')
    .set({
      ...{ suspended_at: null, suspended_for: null, mailed_at: null },
      ...(author !== null && (await authorColumns(tx, author))),
    })
    .where('suspended_at', 'is not', null)
    .where(which)
    .returning(['kind', 'webhook_id', 'organization_id', 'site_id', 'author_id'])
    .execute();
  for (const { kind, webhook_id: webhookId, organization_id, site_id, author_id } of resumed) {
    if (kind === 'webhook' && webhookId !== null)
      await tx
        .updateTable('webhooks')
        .set({ enabled: true, ended: null, failing_since: null, failures: 0, next_at: at })
        .where('id', '=', webhookId)
        .where('ended', '=', 'suspended')
        .execute();
    if (kind === 'share' && organization_id !== null && site_id !== null)
      await tx
        .insertInto('organization_sites')
        .values({ organization_id, site_id, granted_by: author_id, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
}

/** A condition: a row of another table has a delegation that is suspended. @param column such as `client_id` */
export function isSuspended(column: string, id: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`exists (select from delegations where ${sql.ref(`delegations.${column}`)} = ${id}
    and delegations.suspended_at is not null)`;
}
