import type { DeviceDelegationKind } from '@heliograph/contracts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { TokenKind } from '../../common/secrets/opaque-token.ts';
import type { Id, JsonObject } from './column-types.ts';

export interface DevicesTables {
  devices: DeviceTable;
  device_delegations: DeviceDelegationTable;
  device_backups: DeviceBackupTable;
  device_proofs: DeviceProofTable;
  proxies: ProxyTable;
  proxy_credentials: ProxyCredentialTable;
  dismissed_sessions: DismissedSessionTable;
  activation_codes: ActivationCodeTable;
  activation_requests: ActivationRequestTable;
  registration_codes: RegistrationCodeTable;
}

interface DeviceTable {
  uid: string;
  public_key: JSONColumnType<{ kty: string; crv: string; x: string }, string | null, string | null> | null;
  enrolled_at: Date | null;
  activated_at: Date | null;
  site_id: number | null;
  /** Kept by a trigger: the site that the device lost; null again as soon as it has one. */
  former_site_id: Generated<number | null>;
  organization_id: number | null;
  public_ip: string | null;
  revoked_at: Date | null;
  support_access: 'ask' | 'never' | null;
  arch: string | null;
  board: string | null;
  beta: Generated<boolean>;
  /** The choice of the owner is newer than the last report of the device. */
  is_channel_chosen: Generated<boolean>;
  version: string | null;
  build_date: Date | null;
  local_ip: string | null;
  inverter: string | null;
  inverter_count: Generated<number>;
  inverter_params: JsonObject;
  battery: string | null;
  battery_count: Generated<number>;
  battery_params: JsonObject;
  online: Generated<boolean>;
  proxy_name: string | null;
  assigned_proxy: string | null;
  asked_region: string | null;
  last_seen_at: Date | null;
  installation_id: string | null;
  replaced_installations: Generated<string[]>;
  hardware_silent_since: Date | null;
}

interface DeviceDelegationTable {
  site_id: number;
  id: string;
  kind: DeviceDelegationKind;
  subject: string;
  user_id: number | null;
  source: string | null;
  token_kind: TokenKind | null;
  set_at: Date;
  suspended_at: Date | null;
  suspended_for: 'token' | 'role' | 'account' | null;
  mailed_at: Date | null;
}

interface DeviceBackupTable {
  id: Id;
  device_uid: string;
  site_id: number;
  fetch_hash: Buffer;
  made_at: Date;
  size: number;
  bytes: Buffer;
}

interface DeviceProofTable {
  hash: Buffer;
  expires_at: Date;
}

interface ProxyTable {
  name: string;
  region: string;
  host: string;
  url: string;
  session_count: number;
  announced_at: Date;
  region_domain: string | null;
  capacity: Generated<number>;
  draining: Generated<boolean>;
  drain_wanted: Generated<boolean>;
  run: string | null;
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  sequence: ColumnType<string | null, number | null, number | null>;
}

interface ProxyCredentialTable {
  id: Id;
  proxy_name: string;
  hash: Buffer;
  created_at: Date;
  last_used_at: Date | null;
  last_used_from: string | null;
}

interface DismissedSessionTable {
  proxy_name: string;
  uid: string;
}

interface ActivationCodeTable {
  id: Id;
  hash: Buffer;
  organization_id: number | null;
  uses_left: number;
  created_by: number | null;
  created_at: Date;
  expires_at: Date | null;
}

interface ActivationRequestTable {
  uid: string;
  user_id: number;
  organization_id: number | null;
  message: string;
  requested_at: Date;
}

interface RegistrationCodeTable {
  hash: Buffer;
  uid: string;
  expires_at: Date;
}
