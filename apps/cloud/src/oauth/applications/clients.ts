import { tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import { secretHint } from './credentials.ts';
import type { ClientRecord, NewAgent } from './records.ts';

const FIND_CLIENT = `select client_id as "clientId", kind, oauth_clients.name,
    organization_id as "organizationId", organizations.name as "organizationName", secret_hash as "secretHash",
    redirect_uris as "redirectUris", scopes, metadata
  from oauth_clients left join organizations on organizations.id = organization_id
  where client_id = $1 and not exists (select from delegations
    where delegations.client_id = oauth_clients.client_id and delegations.suspended_at is not null)`;

/**
 * Any client with a row, which agents with the address of a document for an id have not. A prepared statement: every step
 * of every authorization runs it.
 */
export async function findClient(db: Database, clientId: string): Promise<ClientRecord | undefined> {
  const [client] = await runPrepared<ClientRecord>(db, FIND_CLIENT, [clientId]);
  return client;
}

export async function addAgent(db: Database, agent: NewAgent, at: Date): Promise<void> {
  await db
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
