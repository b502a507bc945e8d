import { sql } from 'kysely';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import { type NewSecret, secretHint } from './credentials.ts';
import type {
  ApplicationRecord,
  ApplicationSettings,
  ClientRecord,
  NewAgent,
  NewApplication,
} from './records.ts';

/** Identifies an application within an organization. */
export interface ApplicationKey {
  readonly organizationId: number;
  readonly clientId: string;
}

const COLUMNS = [
  'client_id as clientId',
  'kind',
  'name',
  'secret_hint as secretHint',
  'redirect_uris as redirectUris',
  'scopes',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

export class ApplicationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first. */
  list(organizationId: number): Promise<ApplicationRecord[]> {
    return this.#db
      .selectFrom('oauth_clients')
      .select(COLUMNS)
      .where('organization_id', '=', organizationId)
      .orderBy('created_at', 'desc')
      .orderBy('client_id')
      .execute();
  }

  async count(tx: Database, organizationId: number): Promise<number> {
    const { count } = await tx
      .selectFrom('oauth_clients')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return count;
  }

  find(
    { organizationId, clientId }: ApplicationKey,
    db: Database = this.#db,
  ): Promise<ApplicationRecord | undefined> {
    return db
      .selectFrom('oauth_clients')
      .select(COLUMNS)
      .where('client_id', '=', clientId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
  }

  add(tx: Database, application: NewApplication, secret: NewSecret | null): Promise<ApplicationRecord> {
    return tx
      .insertInto('oauth_clients')
      .values({
        client_id: application.clientId,
        organization_id: application.organizationId,
        kind: secret === null ? 'public' : 'confidential',
        name: application.name,
        secret_hash: secret?.hash ?? null,
        secret_hint: secret?.hint ?? null,
        redirect_uris: [...application.redirectUris],
        scopes: [...application.scopes],
        created_by: application.createdBy,
        created_at: application.createdAt,
        last_used_at: null,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  }

  async change(
    tx: Database,
    clientId: string,
    { name, redirectUris }: Partial<ApplicationSettings>,
  ): Promise<void> {
    await tx
      .updateTable('oauth_clients')
      .set({ ...(name !== undefined && { name }), ...(redirectUris && { redirect_uris: [...redirectUris] }) })
      .where('client_id', '=', clientId)
      .execute();
  }

  async setSecret(tx: Database, clientId: string, { hash, hint }: NewSecret): Promise<void> {
    await tx
      .updateTable('oauth_clients')
      .set({ secret_hash: hash, secret_hint: hint })
      .where('client_id', '=', clientId)
      .execute();
  }

  async remove(tx: Database, clientId: string): Promise<void> {
    await tx.deleteFrom('oauth_clients').where('client_id', '=', clientId).execute();
  }
}

const FIND_CLIENT = `select client_id as "clientId", kind, oauth_clients.name,
    organization_id as "organizationId", organizations.name as "organizationName", secret_hash as "secretHash",
    redirect_uris as "redirectUris", scopes, metadata
  from oauth_clients left join organizations on organizations.id = organization_id
  where client_id = $1 and not exists (select from delegations
    where delegations.client_id = oauth_clients.client_id and delegations.suspended_at is not null)`;

/** OAuth clients of every kind, for the authorization server. */
export class ClientRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A prepared statement: every step of every authorization runs it. */
  async find(clientId: string): Promise<ClientRecord | undefined> {
    const [client] = await runPrepared<ClientRecord>(this.#db, FIND_CLIENT, [clientId]);
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
