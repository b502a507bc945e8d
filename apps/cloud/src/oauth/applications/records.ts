import type { ApplicationScope, Scope } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { NewSecret } from './credentials.ts';

/** Identifies an application within an organization. */
export interface ApplicationKey {
  readonly organizationId: number;
  readonly clientId: string;
}

/** An OAuth client as the authorization server sees it. */
export interface ClientRecord {
  readonly clientId: string;
  /** `confidential` has a secret; `public` runs in a browser and has none; an agent registered itself. */
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly name: string;
  /** Null for an agent. */
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  /** SHA-256 of the secret; null without one. */
  readonly secretHash: Buffer | null;
  readonly redirectUris: readonly string[];
  /** The scopes that it can request. */
  readonly scopes: readonly Scope[];
  /** Further metadata of an agent (RFC 7591). */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An agent that registers itself. */
export interface NewAgent {
  readonly clientId: string;
  readonly name: string;
  /** The secret itself, of which the digest is stored. Null for one without. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ApplicationSettings {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface NewApplication extends ApplicationSettings {
  readonly clientId: string;
  readonly organizationId: number;
  readonly scopes: readonly ApplicationScope[];
  /** The account that creates it; null for the operator's command line. */
  readonly createdBy: number | null;
  readonly createdAt: Date;
}

/** An application as its organization sees it. */
export interface ApplicationRecord {
  readonly clientId: string;
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly name: string;
  /** The secret's last characters. */
  readonly secretHint: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Date of the last consent. */
  readonly lastUsedAt: Date | null;
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

/** The newest first. */
export function selectApplications(db: Database, organizationId: number): Promise<ApplicationRecord[]> {
  return db
    .selectFrom('oauth_clients')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('client_id')
    .execute();
}

export async function countApplications(tx: Database, organizationId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('oauth_clients')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

export function selectApplication(
  db: Database,
  { organizationId, clientId }: ApplicationKey,
): Promise<ApplicationRecord | undefined> {
  return db
    .selectFrom('oauth_clients')
    .select(COLUMNS)
    .where('client_id', '=', clientId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

export function insertApplication(
  tx: Database,
  application: NewApplication,
  secret: NewSecret | null,
): Promise<ApplicationRecord> {
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

export async function changeApplication(
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
