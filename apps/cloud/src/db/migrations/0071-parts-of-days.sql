-- A site that moves to another time zone twice on one date has parts of several former zones' days, in the order of the moves.
alter table site_history_days add column rest_time_zones text[] not null default '{}', add column rests bytea[] not null default '{}';
alter table site_history_days alter column rests set storage external;
update site_history_days set rest_time_zones = array[rest_time_zone], rests = array[rest_data]
  where rest_time_zone is not null and rest_data is not null;
alter table site_history_days drop column rest_time_zone, drop column rest_data;
