-- Lists filter by one value and are ordered by site: read in that order, a page costs what it holds however many
-- sites match.
drop index devices_inverter;
create index devices_inverter on devices (lower(inverter), site_id);
drop index devices_battery;
create index devices_battery on devices (lower(battery), site_id);
drop index devices_last_seen_at;
create index devices_last_seen_at on devices (last_seen_at, site_id);
drop index devices_build_date;
create index devices_build_date on devices (build_date, site_id);
create index sites_organization_newest on sites (organization_id, id) where organization_id is not null;

-- Proxies report every device again and again, nearly always on the same proxy: its words are made anew only when
-- something they are made of has changed.
drop trigger devices_words on devices;
create trigger devices_words_of_new after insert on devices
  for each row when (new.site_id is not null) execute function keep_device_words();
create trigger devices_words_of_changed
  after update of site_id, proxy_name, inverter, battery, arch, board on devices
  for each row when (
    (old.site_id, old.proxy_name, old.inverter, old.battery, old.arch, old.board)
    is distinct from (new.site_id, new.proxy_name, new.inverter, new.battery, new.arch, new.board)
  ) execute function keep_device_words();

-- A parameter that one site in a hundred has must show in the sample, or the planner takes it for unique.
alter table devices
  alter column inverter_params set statistics 500,
  alter column battery_params set statistics 500;
