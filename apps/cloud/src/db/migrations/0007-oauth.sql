-- Programs that ask users for access: applications of organizations, and agents that registered themselves. Agents
-- whose id is the address of a document about them have no row.
create table oauth_clients (
  client_id text primary key,
  -- Null for an agent.
  organization_id integer references organizations on delete cascade,
  -- 'confidential' has a secret, 'public' runs in a browser and has none; an agent has one if it asked for it.
  kind text not null check (kind in ('confidential', 'public', 'agent')),
  name text not null,
  -- SHA-256 of the secret, which is shown once, and its last characters, by which people tell it from others.
  secret_hash bytea,
  secret_hint text,
  redirect_uris text[] not null,
  -- What it may ask for; fixed when it is made.
  scopes text[] not null,
  -- What else an agent told of itself (RFC 7591).
  metadata jsonb not null default '{}',
  created_by integer references users on delete set null,
  created_at timestamptz not null,
  -- When somebody last consented to it.
  last_used_at timestamptz,
  check ((kind = 'agent') = (organization_id is null)),
  check (kind = 'agent' or (kind = 'confidential') = (secret_hash is not null)),
  check ((secret_hash is null) = (secret_hint is null))
);
create index oauth_clients_organization on oauth_clients (organization_id, created_at);
create index oauth_clients_unused on oauth_clients (created_at) where kind = 'agent' and last_used_at is null;
create index oauth_clients_used on oauth_clients (last_used_at) where kind = 'agent';

-- What users allowed programs. Codes and access tokens are issued from it, and end with it.
create table oauth_grants (
  id text primary key,
  -- No reference: the address of a document is an id, too.
  client_id text not null,
  -- What the user was told on the consent page.
  client_name text not null,
  -- The organization of the application; null for an agent.
  organization_id integer references organizations on delete cascade,
  user_id integer not null references users on delete cascade,
  -- The site that the user chose; null for an agent, which sees what its user sees, and until one is chosen.
  site_id integer references sites on delete cascade,
  scopes text[] not null,
  -- As the OAuth server keeps it.
  payload jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index oauth_grants_user on oauth_grants (user_id, client_id);
create index oauth_grants_site on oauth_grants (site_id);
create index oauth_grants_client on oauth_grants (client_id);
create index oauth_grants_organization on oauth_grants (organization_id);
create index oauth_grants_expiry on oauth_grants (expires_at);

-- What an authorization leaves behind for its next step: codes, interactions with the user, what was used already.
create table oauth_records (
  model text not null,
  -- SHA-256 of the id, which is a secret: whoever shows it goes on with the authorization.
  hash bytea not null,
  -- JSON under AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext.
  sealed bytea not null,
  -- SHA-256 of the second id that sessions have.
  uid_hash bytea,
  grant_id text references oauth_grants on delete cascade,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, hash)
);
create index oauth_records_uid on oauth_records (uid_hash) where uid_hash is not null;
create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_expiry on oauth_records (expires_at);

-- The grant that an access token of a third party was issued from.
alter table tokens add column grant_id text references oauth_grants on delete cascade;
create index tokens_grant on tokens (grant_id) where grant_id is not null;

-- For which sites a third party was given site tokens, which are to end with the grant.
create table oauth_site_tokens (
  grant_id text not null references oauth_grants on delete cascade,
  site_id integer not null references sites on delete cascade,
  issued_at timestamptz not null,
  primary key (grant_id, site_id)
);
create index oauth_site_tokens_site on oauth_site_tokens (site_id);
