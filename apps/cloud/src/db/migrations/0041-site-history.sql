-- Whether an owner agreed that the cloud keeps the history of a site. Another owner is asked again.
create table site_history_consents (
  site_id integer primary key references sites on delete cascade,
  owner_id integer not null references users on delete cascade,
  agreed boolean not null,
  decided_at timestamptz not null
);
create index site_history_consents_owner on site_history_consents (owner_id);

-- A local day of a site: means of quarters of an hour and the energy of hours, packed as in day-codec.ts.
create table site_history_days (
  site_id integer not null references sites on delete cascade,
  day date not null,
  time_zone text not null,
  data bytea not null,
  primary key (site_id, day)
-- The row of a day is written a hundred times in place; packed bytes do not compress.
) with (fillfactor = 75);
alter table site_history_days alter column data set storage external;
-- Days are written when they are, so that this is a few pages.
create index site_history_days_day on site_history_days using brin (day) with (autosummarize = on);

-- The newest values of a site, for lists.
create table site_newest_values (
  site_id integer primary key references sites on delete cascade,
  at timestamptz not null,
  day date not null,
  pv_power real,
  load_power real,
  grid_power real,
  battery_power real,
  state_of_charge real,
  pv real,
  load real,
  battery_in real,
  battery_out real,
  grid_in real,
  grid_out real
) with (fillfactor = 50);
