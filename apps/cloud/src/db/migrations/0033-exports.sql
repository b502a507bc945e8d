-- Archives of what the service has about an account, or about a site for one of its owners or admins.
create table data_exports (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  site_id integer references sites on delete cascade,
  requested_at timestamptz not null,
  -- In bytes; null while it is being made.
  size integer,
  ready_at timestamptz,
  expires_at timestamptz not null
);
create index data_exports_of_account on data_exports (user_id, id desc);
create index data_exports_waiting on data_exports (id) where ready_at is null;
create index data_exports_expiry on data_exports (expires_at);

create table data_export_chunks (
  export_id integer not null references data_exports on delete cascade,
  position integer not null,
  bytes bytea not null,
  primary key (export_id, position)
);
-- It is compressed already.
alter table data_export_chunks alter column bytes set storage external;
