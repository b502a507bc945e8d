-- Alerts of sites: those that devices send, and those about what a device cannot report.
create table alerts (
  id bigint generated always as identity primary key,
  site_id integer not null references sites on delete cascade,
  -- The id at the device; null for one of the cloud's own.
  device_alert_id bigint,
  rule text not null,
  kind text not null,
  severity smallint not null check (severity between 1 and 3),
  topic text,
  name text,
  detail text,
  value jsonb,
  limit_value double precision,
  unit text not null,
  since timestamptz not null,
  raised_at timestamptz not null,
  last_at timestamptz not null,
  cleared_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  -- The account that acknowledged it here; null for the device.
  acknowledged_by_id integer references users on delete set null,
  times integer not null,
  text text not null,
  snoozed_until timestamptz,
  assignee_id integer references users on delete set null,
  note text,
  -- The outage that it belongs to, of which one notice tells.
  outage_id bigint
);
create unique index alerts_once on alerts
  (site_id, rule, coalesce(topic, ''), coalesce(detail, ''), raised_at);
create index alerts_of_site on alerts (site_id, raised_at desc);
create index alerts_open on alerts (site_id, severity desc) where cleared_at is null;
create index alerts_open_offline on alerts (site_id) where cleared_at is null and rule = 'offline';
create index alerts_of_outage on alerts (outage_id) where outage_id is not null and cleared_at is null;
create index alerts_cleared on alerts using brin (cleared_at) with (autosummarize = on);
create index alerts_assignee on alerts (assignee_id) where assignee_id is not null;
create index alerts_acknowledged_by on alerts (acknowledged_by_id) where acknowledged_by_id is not null;

-- Many sites of an organization that were lost together.
create table outages (
  id bigint generated always as identity primary key,
  -- Null for the sites of no organization.
  organization_id integer references organizations on delete cascade,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- Most sites that were lost at a time.
  sites integer not null
);
create unique index outages_open on outages (coalesce(organization_id, 0)) where ended_at is null;
create index outages_organization on outages (organization_id);
create index outages_ended on outages using brin (ended_at) with (autosummarize = on);
alter table alerts add constraint alerts_outage foreign key (outage_id) references outages on delete set null;

-- Minutes without its device before a site is offline for an alert; null for no alert.
alter table sites add column offline_minutes integer default 15;
