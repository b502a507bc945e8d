-- Of the date on which a site came to another time zone: the part of the former zone's day before the day of the new one begins, packed as
-- the day.
alter table site_history_days add column rest_time_zone text, add column rest_data bytea;
alter table site_history_days alter column rest_data set storage external;
