import type {
  Address,
  AttachmentType,
  AuditAction,
  DelegationKind,
  DelegationSuspension,
  DeviceDelegationKind,
  EventType,
  Locale,
  Money,
  OrderState,
  PaymentMethod,
  PaymentState,
  ProductKind,
  ProductState,
  RecoveryEndReason,
  RecoverySessionAccess,
  Scope,
  ShopTerms,
  SiteRole,
  SiteView,
  TaxCategory,
  TaxLine,
  TicketCategory,
  TicketPriority,
  TicketSide,
  TicketSource,
  TicketState,
  TicketTurn,
  WebhookDelivery,
} from '@heliograph/contracts';
import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import type { ReleaseChannel } from '@heliograph/kit';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { TokenKind } from '../common/secrets/opaque-token.ts';
import type { Actor } from './audit.ts';
import type {
  OAuthClientTable,
  OAuthGrantTable,
  OAuthRecordTable,
  OAuthSiteTokenTable,
} from './oauth-tables.ts';
import type { OneTimePurpose } from './one-time-tokens.ts';
import type {
  AuthenticatorAppTable,
  PasskeyChallengeTable,
  PasskeyTable,
  RecoveryCodeTable,
  SecondFactorProof,
} from './second-factor-tables.ts';
import type { SiteTokenAccess } from './site-tokens.ts';

/** The tables as the newest migration leaves them. Columns are explained where they are declared, in SQL. */
export interface Schema {
  organizations: OrganizationTable;
  closed_organizations: ClosedOrganizationTable;
  /** A view. */
  organization_names: OrganizationNameView;
  users: UserTable;
  account_deletions: AccountDeletionTable;
  device_delegations: DeviceDelegationTable;
  data_exports: DataExportTable;
  data_export_chunks: DataExportChunkTable;
  organization_members: OrganizationMemberTable;
  organization_customers: OrganizationCustomerTable;
  employment_invitations: EmploymentInvitationTable;
  organization_logos: OrganizationLogoTable;
  organization_documents: OrganizationDocumentTable;
  organization_sites: OrganizationSiteTable;
  proxies: ProxyTable;
  proxy_credentials: ProxyCredentialTable;
  dismissed_sessions: DismissedSessionTable;
  sites: SiteTable;
  site_invitations: SiteInvitationTable;
  site_members: SiteMemberTable;
  site_transfers: SiteTransferTable;
  site_token_sources: SiteTokenSourceTable;
  site_token_revocations: SiteTokenRevocationTable;
  /** Kept for processes of the earlier release, as `oauth_site_tokens`: the database copies, the code knows neither. */
  site_revocations: SiteRevocationTable;
  site_models: SiteModelTable;
  devices: DeviceTable;
  products: ProductTable;
  shop_terms: ShopTermsTable;
  order_numbers: OrderNumberTable;
  orders: OrderTable;
  order_items: OrderItemTable;
  order_payments: OrderPaymentTable;
  order_shipments: OrderShipmentTable;
  payment_checkouts: PaymentCheckoutTable;
  payment_events: PaymentEventTable;
  idempotent_requests: IdempotentRequestTable;
  tickets: TicketTable;
  ticket_messages: TicketMessageTable;
  ticket_attachments: TicketAttachmentTable;
  recovery_sessions: RecoverySessionTable;
  recovery_session_participants: RecoveryParticipantTable;
  recovery_session_events: RecoveryEventTable;
  tokens: TokenTable;
  one_time_tokens: OneTimeTokenTable;
  email_changes: EmailChangeTable;
  authenticator_apps: AuthenticatorAppTable;
  recovery_codes: RecoveryCodeTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  known_addresses: KnownAddressTable;
  sign_in_failures: SignInFailureTable;
  activation_codes: ActivationCodeTable;
  activation_requests: ActivationRequestTable;
  registration_codes: RegistrationCodeTable;
  audit_events: AuditEventTable;
  events: EventTable;
  alerts: AlertTable;
  outages: OutageTable;
  deliveries: DeliveryTable;
  webhooks: WebhookTable;
  delegations: DelegationTable;
  webhook_deliveries: WebhookDeliveryTable;
  event_cursors: EventCursorTable;
  notification_settings: NotificationSettingsTable;
  notifications: NotificationTable;
  message_queues: MessageQueueTable;
  summarized_alerts: SummarizedAlertTable;
  push_subscriptions: PushSubscriptionTable;
  push_keys: PushKeyTable;
  mailbox_messages: MailboxMessageTable;
  rate_limits: RateLimitTable;
  device_proofs: DeviceProofTable;
  device_backups: DeviceBackupTable;
  site_history_consents: SiteHistoryConsentTable;
  site_history_days: SiteHistoryDayTable;
  site_newest_values: SiteNewestValuesTable;
  bot_check_solutions: BotCheckSolutionTable;
  signing_keys: SigningKeyTable;
  oauth_clients: OAuthClientTable;
  oauth_grants: OAuthGrantTable;
  oauth_records: OAuthRecordTable;
  oauth_site_tokens: OAuthSiteTokenTable;
}

/** Set by the database when a row is made, and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Id = ColumnType<number, never, never>;
/** Derived by PostgreSQL; read in conditions only. */
type Search = ColumnType<never, never, never>;
type JsonObject = JSONColumnType<Record<string, unknown>, string | undefined>;

interface OrganizationTable {
  id: Id;
  name: string;
  cloud_host: string | null;
  cloud_host_vetted: Generated<boolean>;
  requires_second_factor: Generated<boolean>;
  color1: string | null;
  color_dark1: string | null;
  color2: string | null;
  color_dark2: string | null;
  locale: Locale | null;
  created_at: CreatedAt;
}

interface ClosedOrganizationTable {
  id: number;
  name: string;
  closed_at: Date;
}

interface OrganizationNameView {
  id: number;
  name: string;
}

interface OrganizationLogoTable {
  organization_id: number;
  media_type: string;
  digest: string;
  bytes: Buffer;
}

interface OrganizationDocumentTable {
  organization_id: number;
  name: string;
  text: string;
}

interface OrganizationSiteTable {
  organization_id: number;
  site_id: number;
  granted_by: number | null;
  created_at: Date;
}

interface UserTable {
  id: Id;
  email: ColumnType<string, CanonicalEmail, CanonicalEmail>;
  first_name: Generated<string>;
  last_name: Generated<string>;
  phone_number: string | null;
  locale: Generated<Locale>;
  password_hash: string | null;
  confirmed_at: Date | null;
  staff: Generated<boolean>;
  organization_id: number | null;
  terms_accepted_at: Date | null;
  invited_at: Date | null;
  confirmation_mailed_at: Date | null;
  second_factor_at: Date | null;
  site_views: JSONColumnType<SiteView[], string | undefined>;
  search: Search;
  created_at: CreatedAt;
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

interface OrganizationMemberTable {
  organization_id: number;
  user_id: number;
  role: SiteRole;
  created_at: CreatedAt;
}

/** Further organizations of a customer. */
interface OrganizationCustomerTable {
  organization_id: number;
  user_id: number;
  created_at: Date;
}

interface EmploymentInvitationTable {
  organization_id: number;
  user_id: number;
  role: SiteRole;
  first_name: string;
  last_name: string;
  invited_by: number | null;
  created_at: Date;
  expires_at: Date;
  mailed_at: Date | null;
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
  search: Search;
  created_at: CreatedAt;
}

interface SiteMemberTable {
  site_id: number;
  user_id: number;
  role: Exclude<SiteRole, 'owner'>;
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

interface ProductTable {
  id: Generated<number>;
  organization_id: number | null;
  sku: string;
  name: string;
  description: string | null;
  kind: ProductKind;
  state: ProductState;
  prices: JSONColumnType<Money[]>;
  tax_category: TaxCategory;
  licence: JSONColumnType<{ devices: number; months: number | null }, string | null, string | null> | null;
  stock: number | null;
  url: string | null;
  image_url: string | null;
  created_at: Date;
  updated_at: Date;
}

interface ShopTermsTable {
  seller: number;
  terms: JSONColumnType<ShopTerms>;
}

interface OrderNumberTable {
  seller: number;
  last: number;
}

/** A bigint, which the driver reads as text. */
type Amount = ColumnType<string, number, number>;
type AmountFromZero = ColumnType<string, number | undefined, number>;

interface OrderTable {
  id: Id;
  organization_id: number | null;
  number: string;
  user_id: number | null;
  email: string;
  first_name: string;
  last_name: string;
  state: Generated<OrderState>;
  payment_state: Generated<PaymentState>;
  currency: string;
  subtotal: Amount;
  shipping: Amount;
  tax: Amount;
  total: Amount;
  paid: AmountFromZero;
  refunded: AmountFromZero;
  prices_include_tax: boolean;
  tax_lines: JSONColumnType<TaxLine[]>;
  billing_address: JSONColumnType<Address, string | null, string | null> | null;
  shipping_address: JSONColumnType<Address, string | null, string | null> | null;
  note: string | null;
  activation_code_id: number | null;
  activation_code_at: Date | null;
  created_at: Date;
  updated_at: Date;
  paid_at: Date | null;
  completed_at: Date | null;
  cancelled_at: Date | null;
  part_words: Generated<string>;
  search: Search;
}

interface OrderItemTable {
  id: Id;
  order_id: number;
  product_id: number;
  sku: string;
  name: string;
  kind: ProductKind;
  quantity: number;
  unit_price: Amount;
  subtotal: Amount;
  tax_rate: string;
  tax: Amount;
  total: Amount;
  licence: JSONColumnType<{ devices: number; months: number | null }, string | null, string | null> | null;
  device_uid: string | null;
  fulfilled_at: Date | null;
}

interface OrderPaymentTable {
  id: Id;
  order_id: number;
  seller: number;
  amount: Amount;
  currency: string;
  refunded: AmountFromZero;
  method: PaymentMethod;
  provider: string | null;
  reference: string | null;
  paid_at: Date;
  recorded_at: Date;
  recorded_by: number | null;
  excess: boolean;
}

interface OrderShipmentTable {
  id: Id;
  order_id: number;
  carrier: string;
  tracking_number: string | null;
  tracking_url: string | null;
  shipped_at: Date;
}

interface IdempotentRequestTable {
  user_id: number;
  path: string;
  key: string;
  digest: Buffer;
  answer: JSONColumnType<object, string | null, string> | null;
  created_at: Date;
}

interface PaymentCheckoutTable {
  provider: string;
  id: string;
  order_id: number;
  amount: Amount;
  currency: string;
  url: string;
  created_at: Date;
  expires_at: Date;
  closed_at: Date | null;
}

interface PaymentEventTable {
  provider: string;
  id: string;
  received_at: Date;
}

interface TicketTable {
  id: Generated<number>;
  subject: string;
  state: TicketState;
  priority: TicketPriority;
  category: TicketCategory;
  source: TicketSource;
  requester_id: number;
  assignee_id: number | null;
  site_id: number | null;
  order_id: number | null;
  organization_id: number | null;
  home_organization_id: number | null;
  follow_up_of: number | null;
  last_side: TicketTurn;
  awaiting: ColumnType<TicketTurn | null, never, never>;
  waiting_since: Date | null;
  message_count: number;
  created_at: Date;
  updated_at: Date;
  last_message_at: Date;
  resolved_at: Date | null;
  closed_at: Date | null;
  topic_words: Generated<string>;
  search: Search;
}

interface TicketMessageTable {
  id: Generated<number>;
  ticket_id: number;
  author_id: number | null;
  side: TicketSide;
  internal: boolean;
  body: string;
  created_at: Date;
}

interface TicketAttachmentTable {
  id: Generated<number>;
  message_id: number | null;
  owner_id: number;
  name: string;
  content_type: AttachmentType;
  size: number;
  sha256: string;
  bytes: Buffer;
  created_at: Date;
  expires_at: Date | null;
}

interface RecoverySessionTable {
  id: Generated<number>;
  site_id: number;
  organization_id: number | null;
  access: RecoverySessionAccess;
  reason: string;
  ticket_id: number | null;
  hours: number;
  requested_by: number | null;
  requested_at: Date;
  request_expires_at: Date | null;
  approved_by: number | null;
  extended_by: Generated<number[]>;
  opened_at: Date | null;
  expires_at: Date | null;
  declined_at: Date | null;
  ended_at: Date | null;
  ended_by: number | null;
  end_reason: RecoveryEndReason | null;
  is_concluded: Generated<boolean>;
}

interface RecoveryParticipantTable {
  session_id: number;
  user_id: number;
  first_at: Date;
  last_at: Date;
}

interface RecoveryEventTable {
  id: Generated<number>;
  session_id: number;
  at: Date;
  user_id: number | null;
  kind: string;
  subject: string | null;
  succeeded: boolean;
  report_id: string | null;
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

interface TokenTable {
  id: Id;
  kind: TokenKind;
  name: string | null;
  hash: Buffer;
  user_id: number;
  scopes: Scope[];
  organization_id: number | null;
  site_id: number | null;
  application_organization_id: number | null;
  grant_id: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_address: string | null;
  authenticated_at: Date | null;
}

interface OneTimeTokenTable {
  hash: Buffer;
  purpose: OneTimePurpose;
  user_id: number | null;
  organization_id: number | null;
  created_at: Date;
  expires_at: Date;
  spent_at: Date | null;
  authenticated_at: Date | null;
  session_expires_at: Date | null;
  address: string | null;
  factor: SecondFactorProof | null;
  accepts_employment: Generated<boolean>;
  accepts_site_id: Generated<number | null>;
}

interface EmailChangeTable {
  user_id: number;
  email: string;
  expires_at: Date;
}

interface KnownAddressTable {
  user_id: number;
  address: string;
  seen_at: Date;
}

interface SignInFailureTable {
  key: Buffer;
  since: Date;
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  audit_id: string;
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

interface RegistrationCodeTable {
  hash: Buffer;
  uid: string;
  expires_at: Date;
}

interface ActivationRequestTable {
  uid: string;
  user_id: number;
  organization_id: number | null;
  message: string;
  requested_at: Date;
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

interface EventTable {
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  id: ColumnType<string, never, never>;
  /** 64-bit as well. */
  transaction: ColumnType<string, never, never>;
  at: Date;
  type: EventType;
  site_id: number | null;
  organization_id: number | null;
  user_id: number | null;
  data: JsonObject;
}

interface AlertTable {
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  id: ColumnType<string, never, never>;
  site_id: number;
  device_alert_id: ColumnType<string | null, number | null, number | null>;
  rule: string;
  kind: string;
  /** 1 information, 2 warning, 3 critical. */
  severity: number;
  topic: string | null;
  name: string | null;
  detail: string | null;
  value: ColumnType<number | string | boolean | null, string | null, string | null>;
  limit_value: number | null;
  unit: string;
  since: Date;
  raised_at: Date;
  last_at: Date;
  cleared_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_by_id: number | null;
  times: number;
  text: string;
  snoozed_until: Date | null;
  assignee_id: number | null;
  note: string | null;
  outage_id: string | null;
}

interface OutageTable {
  /** 64-bit as well. */
  id: ColumnType<string, never, never>;
  organization_id: number | null;
  began_at: Date;
  ended_at: Date | null;
  sites: number;
}

interface WebhookTable {
  id: Id;
  user_id: number | null;
  organization_id: number | null;
  limited_to_organization_id: number | null;
  name: string;
  url: string;
  types: string[];
  sealed_secret: Buffer;
  sealed_former_secret: Buffer | null;
  former_secret_until: Date | null;
  enabled: Generated<boolean>;
  ended: 'gave_up' | 'gone' | 'suspended' | null;
  /** The place in the feed, as in {@link EventTable}. */
  transaction: string;
  event_id: string;
  position_at: Date;
  next_at: Date;
  claimed_until: Date | null;
  failing_since: Date | null;
  failures: Generated<number>;
  last_delivered_at: Date | null;
  created_at: Date;
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

interface WebhookDeliveryTable {
  id: ColumnType<string, never, never>;
  webhook_id: number;
  at: Date;
  event_id: string;
  event_type: string;
  status: number | null;
  outcome: WebhookDelivery['outcome'];
  failure: WebhookDelivery['failure'];
  error: string | null;
  duration_ms: number;
}

interface EventCursorTable {
  name: string;
  transaction: string;
  id: string;
}

interface NotificationSettingsTable {
  user_id: number;
  severity: number | null;
  team_severity: number | null;
  team_tags: string[];
  escalation_minutes: number | null;
  muted_rules: Generated<string[]>;
  site_ids: Generated<number[]>;
  cleared: Generated<boolean>;
  outages: boolean;
  mail: boolean;
  digest: 'at_once' | 'hourly' | 'daily';
  quiet_from: number | null;
  quiet_until: number | null;
  time_zone: string;
  sealed_ntfy: Buffer | null;
  sealed_telegram: Buffer | null;
}

interface NotificationTable {
  /** 64-bit as well. */
  id: ColumnType<string, never, never>;
  user_id: number;
  channel: 'mail' | 'push' | 'ntfy' | 'telegram';
  push_subscription_id: number | null;
  kind: 'raised' | 'cleared' | 'assigned' | 'further' | 'began' | 'ended' | 'test';
  alert_id: string | null;
  outage_id: string | null;
  /** Of a summary: how many alerts it counts, and their site where they are of one. */
  further_alerts: ColumnType<number | null, number | null | undefined, number | null>;
  site_id: ColumnType<number | null, number | null | undefined, number | null>;
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'skipped';
  doubtful: ColumnType<boolean, boolean | undefined, boolean>;
  attempts: ColumnType<number, number | undefined, number>;
  /** 1 information, 2 warning, 3 critical. */
  urgency: ColumnType<number, number | undefined, number>;
  due_at: Date;
  created_at: Date;
  sent_at: Date | null;
  failure: string | null;
}

interface SummarizedAlertTable {
  user_id: number;
  alert_id: string;
  /** That it was counted with. */
  severity: number;
}

interface DeliveryTable {
  /** 64-bit as well. */
  id: ColumnType<string, never, never>;
  kind: 'mail' | 'push' | 'ntfy' | 'telegram' | 'webhook';
  tenant: number;
  lane: 0 | 1;
  payload: ColumnType<unknown, string | undefined, string>;
  message_id: ColumnType<string | null, string | undefined, string>;
  due_at: Date | null;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  attempts: Generated<number>;
  failing_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  doubtful: Generated<boolean>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  outcome: ColumnType<
    'sent' | 'skipped' | 'refused' | 'failed' | null,
    'sent' | 'skipped' | 'refused' | 'failed' | undefined,
    'sent' | 'skipped' | 'refused' | 'failed' | null
  >;
  created_at: Date;
  ended_at: ColumnType<Date | null, Date | undefined, Date | null>;
}

/** A trigger on `notifications` fills it. */
interface MessageQueueTable {
  id: Id;
  user_id: number;
  channel: 'push' | 'ntfy' | 'telegram';
  push_subscription_id: ColumnType<number | null, number | null | undefined, number | null>;
  tenant: number;
  turn_at: Date | null;
  failing: ColumnType<boolean, boolean | undefined, boolean>;
}

interface PushSubscriptionTable {
  id: Id;
  user_id: number;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  label: string;
  created_at: Date;
}

interface PushKeyTable {
  only_one: ColumnType<boolean, never, never>;
  public_key: Buffer;
  sealed_private_key: Buffer;
}

interface MailboxMessageTable {
  id: Id;
  sent_at: Date;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

interface RateLimitTable {
  key: string;
  points: number;
  expire: string | null;
}

interface DeviceProofTable {
  hash: Buffer;
  expires_at: Date;
}

interface BotCheckSolutionTable {
  challenge: Buffer;
  expires_at: Date;
}

interface SigningKeyTable {
  kid: string;
  purpose: 'sites' | 'identity';
  sealed_private_key: Buffer;
  created_at: Date;
  signs_from: Date | null;
}
