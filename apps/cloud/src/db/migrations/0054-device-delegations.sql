-- Parts of the configuration of a site's device that let others write settings, made with site tokens: as the device
-- reports them. What was made with the device password is not here.
create table device_delegations (
  site_id integer not null references sites on delete cascade,
  -- A digest of what is delegated, such as the address of a broker.
  id text not null,
  kind text not null check (kind in ('mqtt', 'connection', 'setting_writes')),
  subject text not null,
  user_id integer references users on delete set null,
  -- As site_token_sources has it; null in reports of site tokens of an earlier release.
  source text,
  -- Null where the credential was gone before the first report.
  token_kind text,
  set_at timestamptz not null,
  -- Since then it has no effect.
  suspended_at timestamptz,
  suspended_for text check (suspended_for in ('token', 'role', 'account')),
  primary key (site_id, id),
  check ((suspended_at is null) = (suspended_for is null))
);
create index device_delegations_user on device_delegations (user_id);
create index device_delegations_source on device_delegations (source);
