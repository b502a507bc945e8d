import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import type { Database } from '../../db/open.ts';
import { expiresAt, isLive } from './lifetime.ts';
import type { OwnConnectionRecord, ShareRecord, SiteConnectionRecord } from './records.ts';

/** Live grants and shares: the access of third parties to users and sites. */
export class ConnectionRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first; with a token of an organization only those of that organization. */
  ofUser(caller: Caller, now: Date): Promise<OwnConnectionRecord[]> {
    return selectConnections(this.#db, now)
      .leftJoin('sites', 'sites.id', 'oauth_grants.site_id')
      .select([
        'oauth_grants.site_id as siteId',
        sql<string | null>`case when ${visibleTo(caller)} then sites.name end`.as('siteName'),
      ])
      .where(isOwn(caller))
      .execute();
  }

  /** The newest first. */
  ofSite(siteId: number, now: Date): Promise<SiteConnectionRecord[]> {
    return selectConnections(this.#db, now)
      .innerJoin('users', 'users.id', 'oauth_grants.user_id')
      .select([
        'users.id as userId',
        'users.email',
        'users.first_name as firstName',
        'users.last_name as lastName',
      ])
      .where('oauth_grants.site_id', '=', siteId)
      .execute();
  }

  /** The organizations that a site is shared with, the newest first. */
  async sharesOf(siteId: number): Promise<ShareRecord[]> {
    const shares = await this.#db
      .selectFrom('organization_sites as shares')
      .innerJoin('organizations', 'organizations.id', 'shares.organization_id')
      .leftJoin('users', 'users.id', 'shares.granted_by')
      .select([
        'organizations.id as organizationId',
        'organizations.name as organizationName',
        'shares.created_at as createdAt',
        'users.id as userId',
        'users.email',
        'users.first_name as firstName',
        'users.last_name as lastName',
      ])
      .where('shares.site_id', '=', siteId)
      .orderBy('shares.created_at', 'desc')
      .orderBy('organizations.id')
      .execute();
    return shares.map(({ userId, email, firstName, lastName, ...share }) => ({
      ...share,
      sharedBy:
        userId === null
          ? null
          : { userId, email: email ?? '', firstName: firstName ?? '', lastName: lastName ?? '' },
    }));
  }
}

/** With a token of an organization nothing outside of it exists, consents included. */
export function isOwn({ userId, organizationId }: Caller) {
  return organizationId === null
    ? sql<SqlBool>`oauth_grants.user_id = ${userId}`
    : sql<SqlBool>`oauth_grants.user_id = ${userId} and oauth_grants.organization_id = ${organizationId}`;
}

function selectConnections(db: Database, now: Date) {
  return db
    .selectFrom('oauth_grants')
    .leftJoin('organizations', 'organizations.id', 'oauth_grants.organization_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('tokens')
          .select(['tokens.last_used_at as at', 'tokens.last_used_address as address'])
          .whereRef('tokens.grant_id', '=', 'oauth_grants.id')
          .where('tokens.last_used_at', 'is not', null)
          .orderBy('tokens.last_used_at', 'desc')
          .limit(1)
          .as('last_use'),
      (join) => join.onTrue(),
    )
    .select([
      'oauth_grants.id',
      'oauth_grants.client_id as clientId',
      'oauth_grants.client_name as clientName',
      'oauth_grants.organization_id as organizationId',
      'organizations.name as organizationName',
      'oauth_grants.scopes',
      'oauth_grants.created_at as createdAt',
      expiresAt.as('expiresAt'),
      'last_use.at as lastUsedAt',
      'last_use.address as lastUsedAddress',
    ])
    .where(isLive(now))
    .orderBy('oauth_grants.created_at', 'desc')
    .orderBy('oauth_grants.id');
}
