-- Computers that the identity of a device was restored on: the present one, and those that it has replaced.
alter table devices
  add column installation_id text,
  add column replaced_installations text[] not null default '{}';

-- For a device that goes on at its site, but on another computer: proxies end the sessions of the former one, and take
-- no tunnel by its ticket any more.
create function dismiss_device_sessions(text) returns void language sql as $$
  insert into dismissed_sessions (proxy_name, uid) select name, $1 from proxies on conflict do nothing
$$;
