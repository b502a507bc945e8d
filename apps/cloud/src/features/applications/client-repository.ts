import { KEEP_PLAN } from '../../db/kept-plans.ts';
import type { Database } from '../../db/open.ts';
import { tokenHash } from '../../secrets/opaque-token.ts';
import { secretHint } from './credentials.ts';
import type { ClientRecord, NewAgent } from './records.ts';

/** Every program that asks users for access, whoever it belongs to: what the authorization server needs. */
export class ClientRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(clientId: string): Promise<ClientRecord | undefined> {
    return this.#db
      .selectFrom('oauth_clients as clients')
      .leftJoin('organizations', 'organizations.id', 'clients.organization_id')
      .modifyFront(KEEP_PLAN)
      .select([
        'clients.client_id as clientId',
        'clients.kind',
        'clients.name',
        'clients.organization_id as organizationId',
        'organizations.name as organizationName',
        'clients.secret_hash as secretHash',
        'clients.redirect_uris as redirectUris',
        'clients.scopes',
        'clients.metadata',
      ])
      .where('clients.client_id', '=', clientId)
      .executeTakeFirst();
  }

  async addAgent(agent: NewAgent, at: Date): Promise<void> {
    await this.#db
      .insertInto('oauth_clients')
      .values({
        client_id: agent.clientId,
        organization_id: null,
        kind: 'agent',
        name: agent.name,
        secret_hash: agent.secret === null ? null : tokenHash(agent.secret),
        secret_hint: agent.secret === null ? null : secretHint(agent.secret),
        redirect_uris: [...agent.redirectUris],
        scopes: [...agent.scopes],
        metadata: JSON.stringify(agent.metadata),
        created_by: null,
        created_at: at,
        last_used_at: null,
      })
      .execute();
  }
}
