import type { Connection, SiteConnections } from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { presentConnection, presentSiteConnections } from './present.ts';
import { ConnectionRepository, isOwn } from './repository.ts';
import { revokeGrants } from './revoke.ts';

export { revokeGrants } from './revoke.ts';

/** Lists and revokes the access of third parties. */
export class ConnectionService {
  readonly #db: Database;
  readonly #connections: ConnectionRepository;
  readonly #access: SiteAccess;
  readonly #clock: Clock;

  constructor(db: Database, access: SiteAccess, clock: Clock) {
    this.#db = db;
    this.#connections = new ConnectionRepository(db);
    this.#access = access;
    this.#clock = clock;
  }

  /** The grants of the caller, the newest first. */
  async list(caller: Caller): Promise<Connection[]> {
    return (await this.#connections.ofUser(caller, this.#now())).map(presentConnection);
  }

  /** @throws NotFound unless it is a live grant of the caller */
  async revoke(caller: Caller, id: string): Promise<void> {
    const which = sql<SqlBool>`oauth_grants.id = ${id} and ${isOwn(caller)}`;
    if ((await this.#end(which, actorOf(caller))) === 0) throw new NotFound();
  }

  /** Third parties with access to a site, for its owner and admins. @throws NotFound; Forbidden */
  async listOfSite(caller: Caller, siteId: number): Promise<SiteConnections> {
    await this.#access.require(caller, siteId, 'connections');
    const [shares, connections] = await Promise.all([
      this.#connections.sharesOf(siteId),
      this.#connections.ofSite(siteId, this.#now()),
    ]);
    return presentSiteConnections(shares, connections);
  }

  /** @throws NotFound also unless it is a live grant for this site; Forbidden */
  async revokeOfSite(caller: Caller, siteId: number, id: string): Promise<void> {
    await this.#access.require(caller, siteId, 'connections');
    const which = sql<SqlBool>`oauth_grants.id = ${id} and oauth_grants.site_id = ${siteId}`;
    if ((await this.#end(which, actorOf(caller))) === 0) throw new NotFound();
  }

  /**
   * Revokes a grant with all its credentials, for the authorization server: when a token is revoked or a code is used
   * twice.
   *
   * @returns false when it was not live
   */
  async revokeGrant(grantId: string, actor: Actor): Promise<boolean> {
    return (await this.#end(sql<SqlBool>`oauth_grants.id = ${grantId}`, actor)) > 0;
  }

  /** Revokes the grants of a client in the transaction that deletes the client. @returns their number */
  revokeAllOfClient(tx: Database, clientId: string, actor: Actor): Promise<number> {
    return revokeGrants(tx, sql<SqlBool>`oauth_grants.client_id = ${clientId}`, actor, this.#clock);
  }

  #end(which: Expression<SqlBool>, actor: Actor): Promise<number> {
    return this.#db.transaction().execute((tx) => revokeGrants(tx, which, actor, this.#clock));
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}
