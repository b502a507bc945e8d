-- Backups that devices encrypt before they send them; the cloud has no key. They go with their site.
create table device_backups (
  id integer generated always as identity primary key,
  device_uid text not null references devices on delete cascade,
  site_id integer not null references sites on delete cascade,
  -- Of the token that follows from the recovery code of their owner.
  fetch_hash bytea not null,
  made_at timestamptz not null,
  size integer not null,
  bytes bytea not null
);
create index device_backups_of_device on device_backups (device_uid, id desc);
create index device_backups_of_site on device_backups (site_id, id desc);
create index device_backups_by_token on device_backups (fetch_hash, id desc);
-- Encrypted bytes do not compress.
alter table device_backups alter column bytes set storage external;
