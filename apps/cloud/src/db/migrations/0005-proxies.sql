alter table proxies
  -- Sites of its region are browsed at names below it; null: they are not.
  add column region_domain text,
  -- How many devices it is to hold at most.
  add column capacity integer not null default 40000,
  -- It sends its devices away and takes no others.
  add column draining boolean not null default false,
  -- The operator wants it emptied; stays until the operator takes it back.
  add column drain_wanted boolean not null default false,
  -- The process's run and the number of the announcement within it that all this is from: changes alone are taken only
  -- when they follow it. Null for a proxy that always announces everything.
  add column run text,
  add column sequence bigint;

alter table devices
  -- A device keeps the name of the proxy that held it last also when that proxy is forgotten. The references made every
  -- connecting device lock the row of its proxy, which every announcement writes.
  drop constraint devices_proxy_name_fkey,
  drop constraint devices_assigned_proxy_fkey,
  -- The region that the device named when it last called.
  add column asked_region text;

-- While a device is online it was last seen when its proxy last announced itself; the column is written when it goes
-- offline, and is out of date until then.
drop index devices_last_seen_at;
create index devices_last_seen_at on devices (last_seen_at, site_id) where not online;

-- Sessions that a proxy is to end, if it has them: of devices that were revoked or whose site is no longer theirs. A row
-- for each proxy, because any may hold an older session of the device; it goes once the proxy is told. Announcements
-- of changes list few devices, so that without it each would have to look at every device of the proxy.
create table dismissed_sessions (
  proxy_name text not null,
  uid text not null,
  primary key (proxy_name, uid)
);

-- In the database, so that it holds however a device loses its site.
create function dismiss_sessions() returns trigger language plpgsql as $$
begin
  insert into dismissed_sessions (proxy_name, uid) select name, new.uid from proxies on conflict do nothing;
  if old.online then
    new.online := false;
    new.last_seen_at := coalesce(
      (select announced_at from proxies where name = old.proxy_name), old.last_seen_at);
  end if;
  return new;
end $$;
create trigger devices_dismissal before update of revoked_at, site_id on devices
  for each row when (
    old.site_id is not null
    and (old.site_id is distinct from new.site_id or (old.revoked_at is null and new.revoked_at is not null))
  ) execute function dismiss_sessions();
