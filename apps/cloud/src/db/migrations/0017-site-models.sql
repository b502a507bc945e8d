-- The models and families that the device of a site reports, each in a row of its own and in lower case, beside the whole
-- list as reported. The key has them in the order of sites: a page of the sites with a model costs what it holds, however
-- many sites have it. Triggers keep the rows, also beside a process of the release before, which still reads the indexes
-- devices_inverter and devices_battery.
create table site_models (
  site_id integer not null,
  part text not null check (part in ('inverter', 'battery')),
  model text not null,
  primary key (part, model, site_id)
);
create index site_models_site on site_models (site_id);

-- Entries of a list like 'Simulated Hybrid 6k, Deye, VMIII-6000', and the list itself; none for null.
create function reported_models(reported text) returns setof text language sql immutable as $$
  select model from (
    select btrim(lower(reported)) as model union select btrim(string_to_table(lower(reported), ','))) as models
  where model <> ''
$$;

create function keep_site_models() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from site_models where site_id = old.site_id;
  end if;
  if tg_op <> 'DELETE' and new.site_id is not null then
    insert into site_models (site_id, part, model)
      select new.site_id, 'inverter', model from reported_models(new.inverter) as model
      union all select new.site_id, 'battery', model from reported_models(new.battery) as model;
  end if;
  return null;
end $$;
create trigger devices_models_of_new after insert on devices
  for each row when (new.site_id is not null) execute function keep_site_models();
create trigger devices_models_of_changed after update of site_id, inverter, battery on devices
  for each row when ((old.site_id, old.inverter, old.battery) is distinct from (new.site_id, new.inverter, new.battery))
  execute function keep_site_models();
create trigger devices_models_of_removed after delete on devices
  for each row when (old.site_id is not null) execute function keep_site_models();

insert into site_models (site_id, part, model)
  select site_id, 'inverter', model from devices, reported_models(inverter) as model where site_id is not null
  union all select site_id, 'battery', model from devices, reported_models(battery) as model where site_id is not null;
analyze site_models;
