import type { Scope, SiteRole } from '@heliograph/contracts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables as the newest migration leaves them. Columns are explained where they are declared, in SQL. */
export interface Schema {
  organizations: OrganizationTable;
  users: UserTable;
  organization_members: OrganizationMemberTable;
  proxies: ProxyTable;
  sites: SiteTable;
  site_members: SiteMemberTable;
  devices: DeviceTable;
  tokens: TokenTable;
  signing_keys: SigningKeyTable;
}

/** Set by the database when a row is made, and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Id = ColumnType<number, never, never>;
type JsonObject = JSONColumnType<Record<string, unknown>, string | undefined>;

interface OrganizationTable {
  id: Id;
  name: string;
  cloud_host: string | null;
  created_at: CreatedAt;
}

interface UserTable {
  id: Id;
  email: string;
  first_name: Generated<string>;
  last_name: Generated<string>;
  phone_number: string | null;
  locale: Generated<string>;
  password_hash: string | null;
  confirmed_at: Date | null;
  staff: Generated<boolean>;
  created_at: CreatedAt;
}

interface OrganizationMemberTable {
  organization_id: number;
  user_id: number;
  role: SiteRole;
  created_at: CreatedAt;
}

interface ProxyTable {
  name: string;
  region: string;
  host: string;
  url: string;
  session_count: number;
  announced_at: Date;
}

interface SiteTable {
  id: Id;
  name: string | null;
  description: string | null;
  region: string;
  owner_id: number;
  organization_id: number | null;
  key_version: Generated<number>;
  created_at: CreatedAt;
}

interface SiteMemberTable {
  site_id: number;
  user_id: number;
  role: Exclude<SiteRole, 'owner'>;
  created_at: CreatedAt;
}

interface DeviceTable {
  uid: string;
  public_key: JSONColumnType<{ kty: string; crv: string; x: string }>;
  enrolled_at: Date;
  activated_at: Date | null;
  site_id: number | null;
  arch: string;
  board: string | null;
  beta: Generated<boolean>;
  version: string;
  build_date: Date | null;
  local_ip: string | null;
  inverter: string | null;
  inverter_count: number;
  inverter_params: JsonObject;
  battery: string | null;
  battery_count: number;
  battery_params: JsonObject;
  online: Generated<boolean>;
  proxy_name: string | null;
  assigned_proxy: string | null;
  last_seen_at: Date | null;
}

interface TokenTable {
  id: Id;
  kind: 'api' | 'session';
  hash: Buffer;
  user_id: number;
  scopes: Scope[];
  organization_id: number | null;
  site_id: number | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

interface SigningKeyTable {
  kid: string;
  sealed_private_key: Buffer;
  created_at: Date;
}
