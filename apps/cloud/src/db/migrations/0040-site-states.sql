-- The few sites that need attention are found without reading all others.
create index devices_hardware_silent on devices (site_id desc) where hardware_silent_since is not null;
create index devices_never_seen on devices (site_id desc) where last_seen_at is null;
