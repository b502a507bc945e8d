-- The releases that the device of a site takes, and whether it does so without a request.
alter table sites
  add column update_channel text not null default 'stable',
  add column automatic_updates boolean not null default false;

create index devices_version on devices (version, site_id);
