import type { SiteRole } from '@heliograph/contracts';
import type { ReleaseChannel } from '@heliograph/kit';
import type { ColumnType, Generated } from 'kysely';
import type { SiteTokenAccess } from '../site-tokens.ts';
import type { CreatedAt, Id, SearchColumn } from './column-types.ts';

export interface SitesTables {
  sites: SiteTable;
  site_invitations: SiteInvitationTable;
  site_members: SiteMemberTable;
  site_transfers: SiteTransferTable;
  site_token_sources: SiteTokenSourceTable;
  site_token_revocations: SiteTokenRevocationTable;
  /** Kept for processes of the earlier release, as `oauth_site_tokens`: the database copies, the code knows neither. */
  site_revocations: SiteRevocationTable;
  site_models: SiteModelTable;
  site_history_consents: SiteHistoryConsentTable;
  site_history_days: SiteHistoryDayTable;
  site_newest_values: SiteNewestValuesTable;
}

interface SiteTable {
  id: Id;
  name: string | null;
  description: string | null;
  region: string;
  owner_id: number;
  organization_id: number | null;
  key_version: Generated<number>;
  update_channel: Generated<ReleaseChannel>;
  automatic_updates: Generated<boolean>;
  tags: Generated<string[]>;
  peak_power_kwp: number | null;
  latitude: number | null;
  longitude: number | null;
  offline_minutes: Generated<number | null>;
  search: SearchColumn;
  created_at: CreatedAt;
}

interface SiteInvitationTable {
  site_id: number;
  user_id: number;
  email: string;
  first_name: string;
  last_name: string;
  invited_by: number | null;
  created_at: Date;
}

interface SiteMemberTable {
  site_id: number;
  user_id: number;
  role: Exclude<SiteRole, 'owner'>;
  created_at: CreatedAt;
}

interface SiteTransferTable {
  site_id: number;
  former_owner_id: number;
  former_member_id: number | null;
  former_role: Exclude<SiteRole, 'owner'> | null;
  created_at: Date;
  ends_at: Generated<Date>;
  reminded_at: Generated<Date | null>;
  reminded_without_account: Generated<boolean>;
}

interface SiteTokenSourceTable {
  source: string;
  site_id: number;
  user_id: number;
  access: SiteTokenAccess;
  issued_at: Date;
  issued_unnamed_at: Date | null;
}

interface SiteTokenRevocationTable {
  site_id: number;
  subject: string;
  user_id: number;
  revoked_at: Date;
}

interface SiteRevocationTable {
  site_id: number;
  user_id: number;
  revoked_at: Date;
}

/** Kept by triggers on devices. */
interface SiteModelTable {
  site_id: ColumnType<number, never, never>;
  part: ColumnType<'inverter' | 'battery', never, never>;
  model: ColumnType<string, never, never>;
}

interface SiteHistoryConsentTable {
  site_id: number;
  owner_id: number;
  agreed: boolean;
  decided_at: Date;
}

interface SiteHistoryDayTable {
  site_id: number;
  /** `YYYY-MM-DD` where it is selected as a text. */
  day: ColumnType<never, string, string>;
  time_zone: string;
  data: Buffer;
  rest_time_zones: Generated<string[]>;
  /** As many as there are of their zones. */
  rests: Generated<Buffer[]>;
}

interface SiteNewestValuesTable {
  site_id: number;
  at: Date;
  day: ColumnType<never, string, string>;
  pv_power: number | null;
  load_power: number | null;
  grid_power: number | null;
  battery_power: number | null;
  state_of_charge: number | null;
  pv: number | null;
  load: number | null;
  battery_in: number | null;
  battery_out: number | null;
  grid_in: number | null;
  grid_out: number | null;
}
