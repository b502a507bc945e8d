import { type ClosingObstacle, MAX_ID, type OrganizationClosing } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { lockDelegations, lockSharedSites } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { revokeOrganizationAccess } from '../../db/revoke-organization-access.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { organizationPermissions, requireCloser } from '../../organizations/organizations/policy.ts';
import { ownersOf } from '../../organizations/organizations/rows.ts';
import type { Platform } from '../../platform.ts';
import { revokeGrants } from '../../sites/connections/revoke.ts';
import { closeResolvedTicketsOf, lockTicketsOf } from '../../support/tickets/closing.ts';
import { removeOrganization } from './removal.ts';

/** @throws NotFound; Forbidden for others than owners and operators */
export async function getOrganizationClosing(
  { db }: Platform,
  caller: Caller,
  { params }: InputOf<'getOrganizationClosing'>,
): Promise<OrganizationClosing> {
  await findOrganization(db, caller, params.id);
  return { obstacles: await obstaclesOf(db, params.id) };
}

/** @throws as `endOrganization` */
export async function closeOrganization(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'closeOrganization'>,
): Promise<void> {
  await endOrganization(platform, caller, params.id);
}

/**
 * Everything that acts for the organization ends at once; orders, tickets and audit records keep its name. Its employees and customers keep their accounts.
 *
 * @throws NotFound; Forbidden for others than owners and operators; Unprocessable while something stands in the way
 * @returns its name
 */
export async function endOrganization(platform: Platform, caller: Caller, id: number): Promise<string> {
  const { db, clock } = platform;
  await findOrganization(db, caller, id);
  return db.transaction().execute(async (tx) => {
    const isOfOrganization = sql<SqlBool>`delegations.organization_id = ${id}`;
    await lockSharedSites(tx, isOfOrganization);
    await lockCustomers(tx, id);
    // Whatever refers to the organization waits, and then finds it gone.
    await tx.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute();
    const { name } = await findOrganization(tx, caller, id);
    // A reply opens a resolved ticket again.
    await lockTicketsOf(tx, id);
    const obstacles = await obstaclesOf(tx, id);
    if (obstacles.length > 0) throw new Unprocessable(sentenceOf(obstacles));
    await lockDelegations(tx, isOfOrganization);
    const actor = actorOf(caller);
    const at = new Date(clock.now());
    await notifyOwners(platform, tx, caller, id, name, at);
    await endAccess(platform, tx, actor, id, at);
    await closeResolvedTicketsOf(tx, id, actor, at);
    const event = { action: 'organization.closed', organizationId: id, details: { name } } as const;
    await recordAudit(tx, actor, at, event);
    await removeOrganization(tx, { id, name }, at);
    return name;
  });
}

async function findOrganization(db: Database, caller: Caller, id: number): Promise<{ name: string }> {
  const organization = await db
    .selectFrom('organizations')
    .leftJoin('organization_members as employees', (join) =>
      join
        .onRef('employees.organization_id', '=', 'organizations.id')
        .on('employees.user_id', '=', caller.userId),
    )
    .select(['organizations.name', 'employees.role'])
    .where('organizations.id', '=', Math.min(id, MAX_ID))
    .executeTakeFirst();
  const { name, role } = orNotFound(organization);
  requireCloser(organizationPermissions(caller, id, role));
  return { name };
}

async function notifyOwners(
  { mail }: Platform,
  tx: Database,
  { userId: closerId, address }: Caller,
  id: number,
  name: string,
  at: Date,
): Promise<void> {
  for (const userId of await ownersOf(tx, id)) {
    await mail.enqueue(tx, {
      kind: 'organizationClosed',
      userId,
      organizationId: null,
      name,
      at: at.toISOString(),
      // Others are not shown where a person was.
      address: userId === closerId ? address : null,
    });
  }
}

/** Ends its connections, tokens and sessions, and what its employees read of sites that were shared with it. */
async function endAccess(
  { clock }: Platform,
  tx: Database,
  actor: Actor,
  id: number,
  at: Date,
): Promise<void> {
  await revokeGrants(tx, sql<SqlBool>`oauth_grants.organization_id = ${id}`, actor, clock);
  const isShared = sql`sites.id in (select site_id from organization_sites where organization_id = ${id})`;
  await revokeOrganizationAccess(tx, id, isShared, at);
  const isOfOrganization = sql<SqlBool>`(organization_id = ${id} or application_organization_id = ${id})`;
  await revokeTokens(tx, isOfOrganization, clock);
}

/** Sign-ins lock their account before they refer to its organization; another order would end in deadlocks. */
async function lockCustomers(tx: Database, organizationId: number): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** The sites, open orders and open tickets that an organization has to end or give away before it can be closed. */
async function obstaclesOf(db: Database, organizationId: number): Promise<ClosingObstacle[]> {
  const { rows } = await sql<ClosingObstacle>`
    select 'site' as kind, id, name from sites where organization_id = ${organizationId}
    union all
    select 'order', id, number from orders where organization_id = ${organizationId} and state = 'open'
    union all
    select 'ticket', id, subject from tickets
      where organization_id = ${organizationId} and state in ('open', 'pending')
    order by kind, id
    limit 200`.execute(db);
  return rows;
}

function sentenceOf(obstacles: readonly ClosingObstacle[]): string {
  const shown = obstacles.slice(0, 3).map(({ kind, id, name }) => `${kind} ${name ?? id}`);
  const more = obstacles.length > shown.length ? ` and ${obstacles.length - shown.length} more` : '';
  return `The organization cannot be closed because of ${shown.join(', ')}${more}: release or move its sites, and end its orders and tickets first`;
}
