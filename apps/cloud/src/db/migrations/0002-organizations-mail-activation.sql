-- Organizations: the companies that serve their customers under their own name.

alter table organizations
  add column color1 text,
  add column color_dark1 text,
  add column color2 text,
  add column color_dark2 text;
create unique index organizations_cloud_host on organizations (lower(cloud_host));

create table organization_logos (
  organization_id integer primary key references organizations on delete cascade,
  media_type text not null,
  -- SHA-256 of the bytes in hex: part of the logo's address, so that the address may be cached for ever.
  digest text not null,
  bytes bytea not null
);

-- Terms, privacy policy and the like, as plain text; a missing one is answered with the service's own.
create table organization_documents (
  organization_id integer not null references organizations on delete cascade,
  name text not null,
  text text not null,
  primary key (organization_id, name)
);

-- Sites that an organization may read because their owner consented to it, besides its own sites.
create table organization_sites (
  organization_id integer not null references organizations on delete cascade,
  site_id integer not null references sites on delete cascade,
  granted_by integer references users on delete set null,
  created_at timestamptz not null,
  primary key (organization_id, site_id)
);
create index organization_sites_site on organization_sites (site_id);

-- Words for search: lower case, parted at every ASCII character that is no letter and no digit, at most 60
-- characters each. Not to_tsvector: its parser takes host names and email addresses for one word.

create function search_words(text) returns tsvector language sql immutable strict parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct left(word, 60))), '')
  from regexp_split_to_table(lower($1), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') as word
  where word <> ''
$$;

-- Matches what has, for every word of the text, a word that begins with it; a text without words matches nothing.
create function search_query(text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('''' || left(word, 60) || ''':*', ' & ')::tsquery
  from regexp_split_to_table(lower($1), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') as word
  where word <> ''
$$;

-- A customer belongs to the organization it registered with; employees stand in organization_members.
alter table users
  add column organization_id integer references organizations on delete set null,
  add column terms_accepted_at timestamptz,
  -- Digits of the phone number once more in one piece, so that it is found however it is spaced.
  add column search tsvector not null generated always as (search_words(
    id::text || ' ' || first_name || ' ' || last_name || ' ' || email || ' '
    || coalesce(phone_number || ' ' || regexp_replace(phone_number, '\D', '', 'g'), ''))) stored;
create index users_search on users using gin (search) with (fastupdate = off);
create index users_organization on users (organization_id, id);

-- What a site is found by: its own words, and those of its device, which a trigger keeps.
alter table sites add column device_words tsvector not null default '';
alter table sites add column search tsvector not null generated always as (
  search_words(id::text || ' ' || coalesce(name, '') || ' ' || coalesce(description, '')) || device_words) stored;
create index sites_search on sites using gin (search) with (fastupdate = off);
create index sites_organization_by_name on sites (organization_id, lower(name), id);
drop index sites_organization;

create function keep_device_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.site_id is distinct from new.site_id then
    update sites set device_words = '' where id = old.site_id;
  end if;
  update sites set device_words = words
  from search_words(concat_ws(' ', new.proxy_name, new.inverter, new.battery, new.arch, new.board)) as words
  where id = new.site_id and device_words <> words;
  return null;
end $$;
create trigger devices_words
  after insert or update of site_id, proxy_name, inverter, battery, arch, board on devices
  for each row execute function keep_device_words();
update sites set device_words =
  search_words(concat_ws(' ', devices.proxy_name, devices.inverter, devices.battery, devices.arch, devices.board))
from devices where devices.site_id = sites.id;

-- An operator may provision a device before its first call: then it has no key and no facts yet.
alter table devices
  alter column public_key drop not null,
  alter column enrolled_at drop not null,
  alter column arch drop not null,
  alter column version drop not null,
  alter column inverter_count set default 0,
  alter column battery_count set default 0,
  -- The organization that activated or provisioned it.
  add column organization_id integer references organizations on delete set null,
  -- Where its last call came from: sites on the same network are found by it.
  add column public_ip inet,
  -- Set when nobody trusts the device any more: it is refused whatever it proves.
  add column revoked_at timestamptz;
create index devices_inverter on devices (lower(inverter));
create index devices_battery on devices (lower(battery));
create index devices_last_seen_at on devices (last_seen_at);
create index devices_build_date on devices (build_date);
create index devices_beta on devices (site_id) where beta;
create index devices_inverter_params on devices using gin (inverter_params jsonb_path_ops);
create index devices_battery_params on devices using gin (battery_params jsonb_path_ops);
create index devices_public_ip on devices (public_ip);
create index devices_organization on devices (organization_id);

-- A code that activates as many devices as it has uses left.
create table activation_codes (
  id integer generated always as identity primary key,
  -- SHA-256 of the code; the code itself is shown once.
  hash bytea not null unique,
  organization_id integer references organizations on delete cascade,
  uses_left integer not null check (uses_left >= 0),
  created_by integer references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz
);

-- Somebody asked for a device to be activated and nobody has answered yet.
create table activation_requests (
  uid text primary key references devices on delete cascade,
  user_id integer not null references users on delete cascade,
  organization_id integer references organizations on delete cascade,
  message text not null,
  requested_at timestamptz not null
);

alter table tokens
  drop constraint tokens_kind_check,
  add constraint tokens_kind_check check (kind in ('api', 'session', 'oauth', 'mcp')),
  -- What its user calls an API token.
  add column name text,
  -- The organization whose application an OAuth token was given to.
  add column application_organization_id integer references organizations on delete cascade;

-- Tokens that can be used once: links in mails, the way of an unconfirmed account, a session handed over.
create table one_time_tokens (
  -- SHA-256 of the token.
  hash bytea primary key,
  purpose text not null,
  user_id integer references users on delete cascade,
  organization_id integer references organizations on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index one_time_tokens_user on one_time_tokens (user_id);
create index one_time_tokens_expiry on one_time_tokens (expires_at);

-- Where an account has signed in from: guessing from elsewhere cannot lock these out.
create table known_addresses (
  user_id integer not null references users on delete cascade,
  address inet not null,
  seen_at timestamptz not null,
  primary key (user_id, address)
);

-- Who changed what, when and from where. Rows outlive what they tell of: ids are kept, not referenced.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  -- The account that acted; null for a device, the operator's command line and the service itself.
  actor_id integer,
  token_id integer,
  via text not null check (via in ('api', 'admin', 'device', 'service')),
  address inet,
  organization_id integer,
  site_id integer,
  -- The account that it happened to.
  user_id integer,
  device_uid text,
  details jsonb not null default '{}'
);
create index audit_events_site on audit_events (site_id, id) where site_id is not null;
create index audit_events_organization on audit_events (organization_id, id) where organization_id is not null;

-- Mails of a development system, instead of a mail server.
create table mailbox_messages (
  id integer generated always as identity primary key,
  sent_at timestamptz not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null
);

-- Short-lived counters, shared by every process; a crash may forget them.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Proofs that devices have used; each is good once.
create unlogged table device_proofs (
  hash bytea primary key,
  expires_at timestamptz not null
);
