-- The site that a device lost. While it is set, registering the device takes a code: a uid is known to everyone who ever
-- read the device.
alter table devices add column former_site_id integer;

-- Digests, as activation codes have them. They end with the next change of the device's site.
create table registration_codes (
  hash bytea primary key,
  uid text not null references devices on delete cascade,
  expires_at timestamptz not null
);
create index registration_codes_uid on registration_codes (uid);
create index registration_codes_expires_at on registration_codes (expires_at);

-- In the database, so that it holds however a device loses its site.
create function require_registration_code() returns trigger language plpgsql as $$
begin
  new.former_site_id := case when new.site_id is null then old.site_id end;
  delete from registration_codes where uid = new.uid;
  return new;
end $$;
create trigger devices_registration_code before update of site_id on devices
  for each row when (old.site_id is distinct from new.site_id) execute function require_registration_code();

update devices set former_site_id = ended.site_id
from (
  select distinct on (uid) uid, site_id
  from (
    select id, site_id, case action when 'site.released' then device_uid else details ->> 'from' end as uid
    from audit_events where action in ('site.released', 'site.device_replaced')
  ) as endings
  where uid is not null and site_id is not null
  order by uid, id desc
) as ended
where devices.uid = ended.uid and devices.site_id is null;
