import { type JoinedOrganization, MAX_ID } from '@heliograph/contracts';
import { NotFound, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import { revokeTokensWithoutAccess } from '../../access/revoke-tokens-without-access.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { lockProfile } from './records.ts';

/** Organizations that an account is a customer of by its consent, besides its own. */
const MAX_JOINED_ORGANIZATIONS = 20;

/**
 * Makes the caller's account a customer of an organization, with the consent of its person. Never sets
 * `users.organization_id`, which decides on new sites, tickets and mails: the consent does not name these.
 *
 * @throws ValidationError for an organization that does not exist, or beyond those that an account may have
 */
export function joinOrganization(
  { db, clock }: Platform,
  caller: Caller,
  { body: { organization_id: id } }: InputOf<'joinOrganization'>,
): Promise<JoinedOrganization> {
  const { userId } = caller;
  return db.transaction().execute(async (tx) => {
    await lockProfile(tx, userId);
    const organization = await organizationToJoin(tx, userId, id);
    if (organization === undefined) throw new ValidationError({ organization_id: ['does not exist'] });
    const { isCustomer, others, ...joined } = organization;
    if (isCustomer) return joined;
    if (others >= MAX_JOINED_ORGANIZATIONS)
      throw new ValidationError({
        organization_id: [`is one more than the ${MAX_JOINED_ORGANIZATIONS} that an account may join`],
      });
    const at = new Date(clock.now());
    await tx
      .insertInto('organization_customers')
      .values({ user_id: userId, organization_id: id, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await recordAudit(tx, actorOf(caller), at, {
      action: 'account.changed',
      userId,
      organizationId: id,
      details: { customer_of: { from: null, to: joined.name } },
    });
    return joined;
  });
}

/** Organizations that the caller joined by consent, in that order. */
export function listJoinedOrganizations({ db }: Platform, { userId }: Caller): Promise<JoinedOrganization[]> {
  return db
    .selectFrom('organization_customers')
    .innerJoin('organizations', 'organizations.id', 'organization_customers.organization_id')
    .select(['organizations.id', 'organizations.name'])
    .where('organization_customers.user_id', '=', userId)
    .orderBy('organization_customers.created_at')
    .orderBy('organizations.id')
    .execute();
}

/**
 * Withdraws the consent of {@link joinOrganization}. Tokens of the organization are revoked, unless the account has
 * access to it otherwise.
 *
 * @throws NotFound for an organization that the account did not join
 */
export async function leaveOrganization(
  { db, clock }: Platform,
  caller: Caller,
  { params: { id } }: InputOf<'leaveOrganization'>,
): Promise<void> {
  const { userId } = caller;
  await db.transaction().execute(async (tx) => {
    await lockProfile(tx, userId);
    const organization = await organizationToJoin(tx, userId, id);
    if (organization === undefined) throw new NotFound();
    const { numDeletedRows } = await tx
      .deleteFrom('organization_customers')
      .where('user_id', '=', userId)
      .where('organization_id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFound();
    const revoked = await revokeTokensWithoutAccess(tx, { organizationId: id, userId }, clock);
    await recordAudit(tx, actorOf(caller), new Date(clock.now()), {
      action: 'account.changed',
      userId,
      organizationId: id,
      details: { customer_of: { from: organization.name, to: null }, revoked_tokens: revoked },
    });
  });
}

/** Whether the account could become a customer of an organization, to which it does not belong in any way. */
export async function mayJoin(db: Database, { userId }: Caller, organizationId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select((eb) => sql<boolean>`${hasOrganizationAccess(organizationId)(eb)}`.as('hasAccess'))
    .where('id', '=', userId)
    .executeTakeFirst();
  return found !== undefined && !found.hasAccess;
}

/** @returns undefined for one that does not exist; `others` are the further organizations of the account */
async function organizationToJoin(tx: Database, userId: number, id: number) {
  if (id < 1 || id > MAX_ID) return undefined;
  return tx
    .selectFrom('organizations')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select([
      'organizations.id',
      'organizations.name',
      sql<boolean>`(users.organization_id is not distinct from organizations.id or exists (
          select from organization_customers where user_id = users.id and organization_id = organizations.id))`.as(
        'isCustomer',
      ),
      sql<number>`(select count(*)::integer from organization_customers where user_id = users.id)`.as(
        'others',
      ),
    ])
    .where('organizations.id', '=', id)
    .executeTakeFirst();
}
