import type { AuditAction, DelegationKind, DelegationSuspension } from '@heliograph/contracts';
import type { ColumnType } from 'kysely';
import type { TokenKind } from '../../common/secrets/opaque-token.ts';
import type { Actor } from '../audit.ts';
import type { Id, JsonObject } from './column-types.ts';

export interface PrivacyTables {
  account_deletions: AccountDeletionTable;
  data_exports: DataExportTable;
  data_export_chunks: DataExportChunkTable;
  delegations: DelegationTable;
  audit_events: AuditEventTable;
}

interface AccountDeletionTable {
  user_id: number;
  requested_at: Date;
  due_at: Date;
}

interface DataExportTable {
  id: Id;
  user_id: number;
  site_id: number | null;
  requested_at: Date;
  size: number | null;
  ready_at: Date | null;
  expires_at: Date;
  csv_locale: string | null;
}

interface DataExportChunkTable {
  export_id: number;
  position: number;
  bytes: Buffer;
}

interface DelegationTable {
  id: Id;
  kind: DelegationKind;
  webhook_id: number | null;
  client_id: string | null;
  activation_code_id: number | null;
  grant_id: string | null;
  push_subscription_id: number | null;
  user_id: number | null;
  organization_id: number | null;
  site_id: number | null;
  author_id: number | null;
  token_id: number | null;
  token_kind: TokenKind | null;
  token_name: string | null;
  created_at: Date;
  suspended_at: Date | null;
  suspended_for: DelegationSuspension | null;
  mailed_at: Date | null;
}

interface AuditEventTable {
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  id: ColumnType<string, never, never>;
  at: Date;
  action: AuditAction;
  actor_id: number | null;
  token_id: number | null;
  via: Actor['via'];
  address: string | null;
  organization_id: number | null;
  site_id: number | null;
  user_id: number | null;
  device_uid: string | null;
  details: JsonObject;
}
