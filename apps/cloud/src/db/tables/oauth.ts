import type { Scope } from '@heliograph/contracts';
import type { JSONColumnType } from 'kysely';

export interface OAuthTables {
  oauth_clients: OAuthClientTable;
  oauth_grants: OAuthGrantTable;
  oauth_records: OAuthRecordTable;
  oauth_site_tokens: OAuthSiteTokenTable;
}

interface OAuthClientTable {
  client_id: string;
  organization_id: number | null;
  kind: 'confidential' | 'public' | 'agent';
  name: string;
  secret_hash: Buffer | null;
  secret_hint: string | null;
  redirect_uris: string[];
  scopes: Scope[];
  metadata: JSONColumnType<Record<string, unknown>, string | undefined>;
  created_by: number | null;
  created_at: Date;
  last_used_at: Date | null;
}

interface OAuthGrantTable {
  id: string;
  client_id: string;
  client_name: string;
  organization_id: number | null;
  user_id: number;
  site_id: number | null;
  scopes: Scope[];
  payload: JSONColumnType<Record<string, unknown>>;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

interface OAuthRecordTable {
  model: string;
  hash: Buffer;
  sealed: Buffer;
  uid_hash: Buffer | null;
  grant_id: string | null;
  consumed_at: Date | null;
  expires_at: Date;
}

interface OAuthSiteTokenTable {
  grant_id: string;
  site_id: number;
  issued_at: Date;
}
