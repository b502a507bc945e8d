import type { Delegation } from '@heliograph/contracts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { removeChannelIn } from '../../alerting/notifications/settings.ts';
import { removeWebhookIn } from '../../alerting/webhooks/webhooks.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { removeDelegation, resumeDelegations, suspendOnDevices } from '../../db/delegations.ts';
import { tokenSource } from '../../db/site-tokens.ts';
import { revokeCodeIn } from '../../devices/activation/codes.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { removeApplication } from '../../oauth/applications/applications.ts';
import { requireOrganizationManager } from '../../organizations/organizations/roles.ts';
import { endShare } from '../../organizations/shared-sites/shared-sites.ts';
import type { Platform } from '../../platform.ts';
import { revokeGrants } from '../../sites/connections/revoke.ts';
import {
  type DelegationRecord,
  decidedBy,
  delegationsWhere,
  deviceDelegationsOf,
  deviceDelegationsWhere,
  presentDelegation,
} from './records.ts';

/** @throws NotFound; Forbidden for an organization that the caller does not manage */
export async function listDelegations(
  platform: Platform,
  caller: Caller,
  { query: { organization_id: organizationId } }: InputOf<'listDelegations'>,
): Promise<Delegation[]> {
  if (organizationId === undefined) {
    const ofDevices = await deviceDelegationsWhere(platform.db, deviceDelegationsOf(caller));
    return [...(await find(platform, ofAccount(caller))).map(presentDelegation), ...ofDevices];
  }
  await requireOrganizationManager(platform.db, caller, organizationId);
  const ofOrganization = sql<SqlBool>`delegations.organization_id = ${organizationId}
    and delegations.user_id is null and delegations.kind <> 'share'`;
  return (await find(platform, ofOrganization)).map(presentDelegation);
}

/** @throws NotFound unless the caller decides about it */
export async function endDelegation(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'endDelegation'>,
): Promise<void> {
  const [found] = await find(platform, sql`delegations.id = ${params.id} and ${decidedBy(caller)}`);
  await end(platform, caller, orNotFound(found));
}

/** The account's own and those that it made; each of other people's is ended on its own. @returns their number */
export async function endDelegations(
  platform: Platform,
  caller: Caller,
  { query: { token_id: tokenId } }: InputOf<'endDelegations'>,
): Promise<{ ended: number }> {
  const which =
    tokenId === undefined
      ? ownOrMade(caller)
      : sql<SqlBool>`delegations.token_id = ${tokenId} and delegations.author_id = ${caller.userId}
        and ${decidedBy(caller)}`;
  if (tokenId !== undefined) await suspendMadeOnDevices(platform, caller, tokenId);
  const ended = await endEach(platform, caller, await find(platform, which));
  if (tokenId !== undefined) await mailLeft(platform, caller, tokenId);
  return { ended };
}

/** @throws NotFound unless it is suspended and the caller decides about it */
export function keepDelegation(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'keepDelegation'>,
): Promise<Delegation> {
  return keep(platform, caller, sql`delegations.id = ${params.id} and ${decidedBy(caller)}`);
}

/** For the household and operators. */
export async function listSiteDelegations(
  platform: Platform,
  _caller: Caller,
  { site }: InputOf<'listSiteDelegations'>,
): Promise<Delegation[]> {
  const ofDevice = await deviceDelegationsWhere(platform.db, sql`sites.id = ${site.id}`);
  return [...(await find(platform, ofSite(site.id))).map(presentDelegation), ...ofDevice];
}

/** @throws NotFound */
export async function endSiteDelegation(
  platform: Platform,
  caller: Caller,
  { site, params: { delegation_id: id } }: InputOf<'endSiteDelegation'>,
): Promise<void> {
  const [found] = await find(platform, sql`delegations.id = ${id} and ${ofSite(site.id)}`);
  await end(platform, caller, orNotFound(found));
}

/** @returns their number */
export async function endSiteDelegations(
  platform: Platform,
  caller: Caller,
  { site }: InputOf<'endSiteDelegations'>,
): Promise<{ ended: number }> {
  return { ended: await endEach(platform, caller, await find(platform, ofSite(site.id))) };
}

/** @throws NotFound unless it is suspended */
export async function keepSiteDelegation(
  platform: Platform,
  caller: Caller,
  { site, params: { delegation_id: id } }: InputOf<'keepSiteDelegation'>,
): Promise<Delegation> {
  const isShare = sql<SqlBool>`delegations.id = ${id} and ${ofSite(site.id)} and delegations.kind = 'share'`;
  return keep(platform, caller, isShare);
}

/** Mails others what the token made outside of the organization of the session, which stays suspended. */
async function mailLeft({ db }: Platform, { userId }: Caller, tokenId: number): Promise<void> {
  await db
    .updateTable('delegations')
    .set({ mailed_at: null })
    .where('token_id', '=', tokenId)
    .where('author_id', '=', userId)
    .where('suspended_for', '=', 'token')
    .execute();
}

async function suspendMadeOnDevices({ db, clock }: Platform, caller: Caller, tokenId: number): Promise<void> {
  const which = sql<SqlBool>`device_delegations.source = ${tokenSource(tokenId)}
    and device_delegations.user_id = ${caller.userId}`;
  await db
    .transaction()
    .execute((tx) => suspendOnDevices(tx, actorOf(caller), which, 'token', new Date(clock.now())));
}

async function keep(platform: Platform, caller: Caller, which: RawBuilder<SqlBool>): Promise<Delegation> {
  const { db, clock } = platform;
  const isSuspended = sql<SqlBool>`${which} and delegations.suspended_at is not null`;
  const { id, ...found } = orNotFound((await find(platform, isSuspended))[0]);
  await db.transaction().execute(async (tx) => {
    const at = new Date(clock.now());
    await resumeDelegations(tx, actorOf(caller), sql`delegations.id = ${id}`, at);
    const { kind, name, organizationId, siteId, userId } = found;
    const event = { organizationId, siteId, userId, details: { kind, name } };
    await recordAudit(tx, actorOf(caller), at, { action: 'delegation.kept', ...event });
  });
  return presentDelegation(orNotFound((await find(platform, sql`delegations.id = ${id}`))[0]));
}

async function endEach(
  platform: Platform,
  caller: Caller,
  found: readonly DelegationRecord[],
): Promise<number> {
  for (const record of found) await end(platform, caller, record);
  return found.length;
}

/** Each in a transaction of its own, as the operation of its kind ends it. */
async function end(platform: Platform, caller: Caller, record: DelegationRecord): Promise<void> {
  const { clock, db } = platform;
  const { kind, webhookId, clientId, activationCodeId, grantId, organizationId, siteId, userId } = record;
  await db.transaction().execute(async (tx) => {
    if (kind === 'webhook' && webhookId !== null) await removeWebhookIn(platform, tx, caller, webhookId);
    else if (kind === 'application' && clientId !== null && organizationId !== null)
      await removeApplication(tx, clock, caller, { organizationId, clientId });
    else if (kind === 'activation_code' && activationCodeId !== null)
      await revokeCodeIn(platform, tx, actorOf(caller), 'anyone', activationCodeId);
    else if (kind === 'share' && organizationId !== null && siteId !== null)
      await endShare(platform, tx, caller, { organizationId, siteId });
    else if (kind === 'connection' && grantId !== null)
      await revokeGrants(tx, sql<SqlBool>`oauth_grants.id = ${grantId}`, actorOf(caller), clock);
    else if (userId !== null) await removeChannelIn(platform, tx, caller, userId, record);
    await removeDelegation(tx, subjectOf(record));
  });
}

function find({ db, clock }: Platform, which: RawBuilder<SqlBool>): Promise<DelegationRecord[]> {
  return delegationsWhere(db, which, new Date(clock.now()));
}

/** Its own, those that it made, and those that wait for its decision: of operators none of other people's. */
function ofAccount(caller: Caller): RawBuilder<SqlBool> {
  const inPerson = decidedBy({ ...caller, staff: false });
  return sql`(${ownOrMade(caller)} or ${inPerson} and delegations.suspended_at is not null)`;
}

function ownOrMade(caller: Caller): RawBuilder<SqlBool> {
  const { userId } = caller;
  return sql`(${decidedBy(caller)} and (delegations.user_id = ${userId} or delegations.author_id = ${userId}))`;
}

function ofSite(siteId: number): RawBuilder<SqlBool> {
  return sql`delegations.site_id = ${siteId}`;
}

function subjectOf(record: DelegationRecord) {
  const { kind, webhookId, clientId, activationCodeId, grantId, pushSubscriptionId } = record;
  const { userId, organizationId, siteId } = record;
  return {
    ...{ kind, userId, organizationId, siteId },
    ...(webhookId !== null && { webhookId }),
    ...(clientId !== null && { clientId }),
    ...(activationCodeId !== null && { activationCodeId }),
    ...(grantId !== null && { grantId }),
    ...(pushSubscriptionId !== null && { pushSubscriptionId }),
  };
}
