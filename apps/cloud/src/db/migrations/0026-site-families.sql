-- A device reports its driver families as the parameter `family`: a site is found by them as by its models.
create or replace function keep_site_models() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from site_models where site_id = old.site_id;
  end if;
  if tg_op <> 'DELETE' and new.site_id is not null then
    insert into site_models (site_id, part, model)
      select new.site_id, 'inverter', model from reported_models(new.inverter) as model
      union select new.site_id, 'inverter', model from reported_models(new.inverter_params ->> 'family') as model
      union select new.site_id, 'battery', model from reported_models(new.battery) as model
      union select new.site_id, 'battery', model from reported_models(new.battery_params ->> 'family') as model;
  end if;
  return null;
end $$;

drop trigger devices_models_of_changed on devices;
create trigger devices_models_of_changed
  after update of site_id, inverter, battery, inverter_params, battery_params on devices
  for each row when (
    (old.site_id, old.inverter, old.battery, old.inverter_params ->> 'family', old.battery_params ->> 'family')
    is distinct from
    (new.site_id, new.inverter, new.battery, new.inverter_params ->> 'family', new.battery_params ->> 'family'))
  execute function keep_site_models();
