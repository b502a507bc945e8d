-- Who lost access to a site, or lost writing access: site tokens of this account for this site that were issued
-- before are no longer good. Told to the proxies for as long as such a token could live; only the newest counts.
create table site_revocations (
  site_id integer not null references sites on delete cascade,
  user_id integer not null references users on delete cascade,
  revoked_at timestamptz not null,
  primary key (site_id, user_id)
);
create index site_revocations_time on site_revocations (revoked_at);

-- Operators look for what happened to an account or a device, or for one kind of event.
create index audit_events_user on audit_events (user_id, id) where user_id is not null;
create index audit_events_device on audit_events (device_uid, id) where device_uid is not null;
create index audit_events_action on audit_events (action, id);
