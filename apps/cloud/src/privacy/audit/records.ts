import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';

/** Columns that audit records can be filtered by. */
export const AUDIT_FILTERS = [
  'site_id',
  'organization_id',
  'actor_id',
  'user_id',
  'action',
  'device_uid',
] as const;

export interface AuditCondition {
  readonly column: (typeof AUDIT_FILTERS)[number];
  readonly value: number | string;
}

export type AuditRecord = Awaited<ReturnType<typeof selectRecords>>[number];

/** First parts of the actions that concern an account and its credentials. */
const ACCOUNT_SUBJECTS = [
  'account',
  'session',
  'passkey',
  'authenticator_app',
  'recovery_codes',
  'recovery_code',
  'second_factor',
];

/** The records that meet every condition, the newest first. */
export function selectRecords(db: Database, conditions: readonly AuditCondition[], page: Page) {
  return select(db, page)
    .where((eb) =>
      eb.and(conditions.map(({ column, value }) => sql<SqlBool>`${sql.ref(`events.${column}`)} = ${value}`)),
    )
    .execute();
}

/** Events of an account, the newest first; in a session of an organization without tokens and grants of others. */
export function selectAccountRecords(db: Database, { userId, organizationId }: Caller, page: Page) {
  const isOfAccount = sql<SqlBool>`split_part(events.action, '.', 1) = any(${ACCOUNT_SUBJECTS})`;
  const isOfToken = sql<SqlBool>`(events.action like 'token.%' or events.action like 'grant.%')`;
  return select(db, page)
    .where('events.user_id', '=', userId)
    .where(
      organizationId === null
        ? sql<SqlBool>`(${isOfAccount} or ${isOfToken})`
        : sql<SqlBool>`(${isOfAccount} or (${isOfToken} and events.organization_id = ${organizationId}))`,
    )
    .execute();
}

function select(db: Database, { offset, limit }: Page) {
  return db
    .selectFrom('audit_events as events')
    .leftJoin('users as actors', 'actors.id', 'events.actor_id')
    .leftJoin('users as accounts', 'accounts.id', 'events.user_id')
    .leftJoin('sites', 'sites.id', 'events.site_id')
    .leftJoin('organization_names as organizations', 'organizations.id', 'events.organization_id')
    .select([
      'events.id',
      'events.at',
      'events.action',
      'events.via',
      'events.address',
      'events.site_id as siteId',
      'events.organization_id as organizationId',
      'events.user_id as userId',
      'events.device_uid as deviceUid',
      'events.details',
      'events.actor_id as actorNumber',
      emailKnown('actor_id', 'actors').as('actorEmail'),
      'actors.first_name as actorFirstName',
      'actors.last_name as actorLastName',
      emailKnown('user_id', 'accounts').as('accountEmail'),
      'accounts.first_name as accountFirstName',
      'accounts.last_name as accountLastName',
      'sites.name as siteName',
      'organizations.name as organizationName',
      isPending('actor_id').as('isActorPending'),
      isPending('user_id').as('isUserPending'),
    ])
    .orderBy('events.id', 'desc')
    .offset(offset)
    .limit(limit);
}

/** The address of an account; the invited one for one that has not accepted its role on the site of the event. */
function emailKnown(account: 'actor_id' | 'user_id', users: 'actors' | 'accounts') {
  return sql<string | null>`coalesce((select email from site_invitations as invitations
    where invitations.site_id = events.site_id and invitations.user_id = ${sql.ref(`events.${account}`)}),
    ${sql.ref(`${users}.email`)})`;
}

/** Whether an account has not accepted its role on the site of the event. */
function isPending(account: 'actor_id' | 'user_id') {
  return sql<boolean>`exists (select from site_invitations as invitations
    where invitations.site_id = events.site_id and invitations.user_id = ${sql.ref(`events.${account}`)})`;
}
