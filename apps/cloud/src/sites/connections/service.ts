import type { Clock } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeGrants } from './revoke.ts';

export { revokeGrants } from './revoke.ts';

/** Revokes the access of third parties. */
export class ConnectionService {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
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
}
