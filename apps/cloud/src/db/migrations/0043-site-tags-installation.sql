-- Words of those who look after a site, where it is, and the peak power of its modules.
alter table sites
  add column tags text[] not null default '{}',
  add column peak_power_kwp double precision,
  add column latitude double precision,
  add column longitude double precision,
  add constraint sites_whole_location check ((latitude is null) = (longitude is null));

-- Tags are searched for in any letter case; lower() of an array's text keeps its elements apart.
create function lower_all(words text[]) returns text[]
  language sql immutable strict parallel safe
  return lower(words::text)::text[];
create index sites_tags on sites using gin (lower_all(tags)) where tags <> '{}';
