import type { Database } from '../../db/open.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import { tokenHash } from '../../secrets/opaque-token.ts';
import { secretHint } from './credentials.ts';
import type { ClientRecord, NewAgent } from './records.ts';

const FIND = `select client_id as "clientId", kind, oauth_clients.name,
    organization_id as "organizationId", organizations.name as "organizationName", secret_hash as "secretHash",
    redirect_uris as "redirectUris", scopes, metadata
  from oauth_clients left join organizations on organizations.id = organization_id
  where client_id = $1`;

/** Every program that asks users for access, whoever it belongs to: what the authorization server needs. */
export class ClientRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Asked for with every step of every authorization, so nothing is built anew for it. */
  async find(clientId: string): Promise<ClientRecord | undefined> {
    const [client] = await runPrepared<ClientRecord>(this.#db, FIND, [clientId]);
    return client;
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
