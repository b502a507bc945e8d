-- Ids are 32-bit integers: the API promises ints that every client's language can hold.

create table organizations (
  id integer generated always as identity primary key,
  name text not null,
  cloud_host text,
  created_at timestamptz not null default now()
);
create unique index organizations_name on organizations (lower(name));

create table users (
  id integer generated always as identity primary key,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  phone_number text,
  locale text not null default 'en',
  -- Null until a first password is set: nobody can sign in with it.
  password_hash text,
  confirmed_at timestamptz,
  -- Operators of the service; they see every site.
  staff boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table organization_members (
  organization_id integer not null references organizations on delete cascade,
  user_id integer not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id);

create table proxies (
  name text primary key,
  region text not null,
  -- What clients put after the scheme, with the port if it is not the default.
  host text not null,
  -- Where devices dial.
  url text not null,
  session_count integer not null,
  announced_at timestamptz not null
);

create table sites (
  id integer generated always as identity primary key,
  -- Null until the site is named; case is kept for display, hostnames ignore it.
  name text,
  description text,
  region text not null,
  owner_id integer not null references users,
  organization_id integer references organizations on delete set null,
  -- Raising it makes every site key handed out so far useless.
  key_version integer not null default 1,
  created_at timestamptz not null default now()
);
create unique index sites_hostname on sites (region, lower(name));
create index sites_by_name on sites (lower(name), id);
create index sites_owner on sites (owner_id);
create index sites_organization on sites (organization_id);

create table site_members (
  site_id integer not null references sites on delete cascade,
  user_id integer not null references users on delete cascade,
  -- The owner stands in sites.owner_id, so that there is always exactly one.
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (site_id, user_id)
);
create index site_members_user on site_members (user_id);

create table devices (
  uid text primary key,
  public_key jsonb not null,
  enrolled_at timestamptz not null,
  activated_at timestamptz,
  site_id integer unique references sites on delete set null,
  -- What the device says of itself.
  arch text not null,
  board text,
  beta boolean not null default false,
  version text not null,
  build_date timestamptz,
  local_ip text,
  inverter text,
  inverter_count integer not null,
  inverter_params jsonb not null default '{}',
  battery text,
  battery_count integer not null,
  battery_params jsonb not null default '{}',
  -- What the proxies say of it.
  online boolean not null default false,
  proxy_name text references proxies on delete set null,
  -- The proxy it was last told to dial.
  assigned_proxy text references proxies on delete set null,
  -- Kept when the device goes quiet.
  last_seen_at timestamptz
);
create index devices_online_by_proxy on devices (proxy_name) where online;

create table tokens (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('api', 'session')),
  -- SHA-256 of the token; the token itself is shown once and stored nowhere.
  hash bytea not null unique,
  user_id integer not null references users on delete cascade,
  scopes text[] not null,
  organization_id integer references organizations on delete cascade,
  -- The one site that sites:read_single reads.
  site_id integer references sites on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index tokens_user on tokens (user_id);

create table signing_keys (
  kid text primary key,
  -- The private JWK under AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext.
  sealed_private_key bytea not null,
  created_at timestamptz not null
);
