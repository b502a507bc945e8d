/** Names of columns, apart by spaces; `*`: all of a table that a library made. */
type Columns = string;
type Reason = string;

/** Decisions about the columns of a table that could hold a person, for the deletion of the account. */
export interface TableDecision {
  /** Their row goes: with the account by its foreign key, or by `removal.ts`. */
  readonly deleted?: Columns;
  /** Their row stays without them. */
  readonly blanked?: Columns;
  /** They refuse the deletion until another account has them. */
  readonly givenAway?: Columns;
  /** They stay, and name no person any more. */
  readonly kept?: Readonly<Record<Columns, Reason>>;
  readonly neverPersonal?: Readonly<Record<Columns, Reason>>;
}

const CHOICE = 'a word of a fixed list';
const DIGEST = 'a digest, or sealed with a key of the service';
const DEVICE = 'about a device, which stays with its site';
const SITE = 'about a site, whose new owner changes it';
const ORGANIZATION = 'published by an organization, or of its business';
const TICKET = 'goes with the own tickets of the person; what they wrote for support stays, without a name';
const NUMBER = 'the number of an account that is gone';
const SERVICE = 'of the service itself';

export const PERSONAL_COLUMNS: Readonly<Record<string, TableDecision>> = {
  account_deletions: { deleted: 'user_id' },
  activation_codes: { blanked: 'created_by', neverPersonal: { hash: DIGEST } },
  activation_requests: { deleted: 'uid user_id message' },
  registration_codes: { neverPersonal: { hash: DIGEST, uid: DEVICE } },
  audit_events: {
    blanked: 'address details',
    kept: { 'actor_id user_id': NUMBER, device_uid: DEVICE },
    neverPersonal: { 'action via': CHOICE },
  },
  events: {
    kept: { user_id: NUMBER, data: 'numbers and fixed words, for 30 days' },
    neverPersonal: { transaction: SERVICE, type: CHOICE },
  },
  device_delegations: {
    blanked: 'user_id',
    neverPersonal: { 'kind token_kind suspended_for': CHOICE, 'id subject source': DEVICE },
  },
  alerts: {
    blanked: 'acknowledged_by acknowledged_by_id assignee_id',
    neverPersonal: { 'rule kind topic name detail value unit text': DEVICE, note: SITE },
  },
  deliveries: {
    deleted: 'payload',
    neverPersonal: { 'kind outcome': CHOICE, failure: 'codes of a mail server, for a day' },
  },
  event_cursors: { neverPersonal: { 'name transaction': SERVICE } },
  notification_settings: {
    deleted: 'user_id team_tags muted_rules time_zone sealed_ntfy sealed_telegram',
    neverPersonal: { digest: CHOICE },
  },
  message_queues: { deleted: 'user_id', neverPersonal: { channel: CHOICE } },
  summarized_alerts: { deleted: 'user_id' },
  notifications: { deleted: 'user_id failure', neverPersonal: { 'channel kind state': CHOICE } },
  webhooks: {
    deleted: 'user_id url',
    neverPersonal: {
      'name types ended': 'goes with the account; of an organization it is about its program',
      'sealed_secret sealed_former_secret': DIGEST,
      transaction: SERVICE,
    },
  },
  webhook_deliveries: { neverPersonal: { 'event_id event_type outcome error failure': SERVICE } },
  delegations: {
    deleted: 'user_id grant_id',
    blanked: 'author_id',
    kept: { token_name: 'what its author called the API token, for those who decide about it' },
    neverPersonal: {
      'kind token_kind suspended_for': CHOICE,
      client_id: 'about an application, which stays with its organization',
    },
  },
  push_subscriptions: { deleted: 'user_id endpoint p256dh auth label' },
  push_keys: { neverPersonal: { public_key: SERVICE, sealed_private_key: DIGEST } },
  authenticator_apps: { deleted: 'user_id sealed started_by' },
  bot_check_solutions: { neverPersonal: { challenge: SERVICE } },
  closed_organizations: { kept: { name: ORGANIZATION } },
  data_export_chunks: { deleted: 'bytes' },
  data_exports: { deleted: 'user_id csv_locale' },
  device_backups: { neverPersonal: { 'device_uid bytes': DEVICE, fetch_hash: DIGEST } },
  device_proofs: { neverPersonal: { hash: DIGEST } },
  devices: {
    neverPersonal: {
      'uid public_key arch board version local_ip inverter inverter_params battery battery_params proxy_name':
        DEVICE,
      'assigned_proxy public_ip asked_region support_access installation_id replaced_installations': DEVICE,
    },
  },
  dismissed_sessions: { neverPersonal: { 'proxy_name uid': DEVICE } },
  email_changes: { deleted: 'user_id email' },
  employment_invitations: { deleted: 'user_id role first_name last_name', blanked: 'invited_by' },
  idempotent_requests: { deleted: 'user_id path key digest answer' },
  known_addresses: { deleted: 'user_id address' },
  mailbox_messages: { deleted: 'recipient subject text html' },
  migrations: { neverPersonal: { 'name release works_with': SERVICE } },
  oauth_clients: {
    blanked: 'created_by',
    neverPersonal: {
      'client_id kind name secret_hash secret_hint redirect_uris scopes metadata':
        'about an application, which stays with its organization or agent',
    },
  },
  oauth_grants: { deleted: 'id client_id client_name user_id scopes payload' },
  oauth_records: {
    deleted: 'grant_id',
    neverPersonal: { model: CHOICE, 'hash sealed uid_hash': DIGEST },
  },
  oauth_site_tokens: { deleted: 'grant_id' },
  one_time_tokens: { deleted: 'hash purpose user_id address factor' },
  order_items: {
    kept: { device_uid: DEVICE },
    neverPersonal: { 'sku name kind tax_rate licence': 'a copy of the product' },
  },
  order_payments: {
    blanked: 'recorded_by',
    kept: { reference: 'the number of a payment, which bookkeeping needs' },
    neverPersonal: { 'currency method provider': CHOICE },
  },
  order_shipments: {
    kept: { 'carrier tracking_number tracking_url': 'the number of a parcel, which the carrier forgets' },
  },
  orders: {
    blanked: 'user_id email first_name last_name billing_address shipping_address note search',
    kept: { 'number tax_lines part_words': 'bookkeeping needs them' },
    neverPersonal: { 'state payment_state currency': CHOICE },
  },
  organization_customers: { deleted: 'user_id' },
  organization_documents: { neverPersonal: { 'name text': ORGANIZATION } },
  organization_logos: { neverPersonal: { 'media_type digest bytes': ORGANIZATION } },
  organization_members: { deleted: 'user_id role' },
  organization_sites: { blanked: 'granted_by' },
  organizations: {
    neverPersonal: { 'name cloud_host color1 color_dark1 color2 color_dark2 locale': ORGANIZATION },
  },
  passkey_challenges: { deleted: 'hash purpose user_id origin' },
  passkeys: { deleted: 'user_id credential_id rp_id public_key transports name' },
  payment_checkouts: {
    kept: { 'id url': 'the number of a payment; the page of it is with the provider' },
    neverPersonal: { 'provider currency': CHOICE },
  },
  payment_events: { neverPersonal: { provider: CHOICE, id: 'the number of a message of the provider' } },
  products: {
    neverPersonal: {
      'sku name description kind state prices tax_category licence url image_url': ORGANIZATION,
    },
  },
  proxies: { neverPersonal: { 'name region host url region_domain run': SERVICE } },
  proxy_credentials: { neverPersonal: { 'proxy_name hash last_used_from': SERVICE } },
  rate_limits: { neverPersonal: { key: DIGEST } },
  recovery_codes: { deleted: 'user_id hash' },
  recovery_session_events: {
    blanked: 'user_id',
    neverPersonal: { kind: CHOICE, 'subject report_id': DEVICE },
  },
  recovery_session_participants: { deleted: 'user_id' },
  recovery_sessions: {
    blanked: 'requested_by approved_by ended_by reason',
    neverPersonal: { 'access end_reason': CHOICE },
  },
  shop_terms: { neverPersonal: { terms: ORGANIZATION } },
  sign_in_failures: { neverPersonal: { key: DIGEST } },
  signing_keys: { neverPersonal: { 'kid sealed_private_key purpose': SERVICE } },
  site_history_consents: { deleted: 'owner_id' },
  site_history_days: {
    neverPersonal: {
      'time_zone rest_time_zones': DEVICE,
      'data rests': 'goes with the site, or with its owner',
    },
  },
  site_invitations: { deleted: 'user_id email first_name last_name', blanked: 'invited_by' },
  site_members: { deleted: 'user_id role' },
  site_models: { neverPersonal: { 'part model': DEVICE } },
  site_revocations: { deleted: 'user_id' },
  site_token_revocations: { kept: { 'user_id subject': 'numbers, until the tokens are too old anyway' } },
  site_token_sources: {
    kept: { 'user_id source': 'numbers, until the tokens are too old anyway' },
    neverPersonal: { access: CHOICE },
  },
  site_transfers: { deleted: 'former_owner_id', neverPersonal: { former_role: CHOICE } },
  sites: {
    givenAway: 'owner_id',
    kept: { 'name description device_words search tags': SITE },
    neverPersonal: { 'region update_channel': CHOICE },
  },
  ticket_attachments: {
    blanked: 'owner_id',
    kept: { 'name content_type sha256 bytes': TICKET },
  },
  ticket_messages: { blanked: 'author_id', kept: { body: TICKET }, neverPersonal: { side: CHOICE } },
  tickets: {
    deleted: 'subject requester_id topic_words search',
    blanked: 'assignee_id',
    neverPersonal: { 'state priority category source last_side awaiting': CHOICE },
  },
  tokens: { deleted: 'kind hash user_id scopes name grant_id last_used_address' },
  users: { deleted: 'email first_name last_name phone_number locale password_hash search site_views' },
};
