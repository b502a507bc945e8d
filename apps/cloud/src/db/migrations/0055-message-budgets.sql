-- Alerts that are counted in a summary, as a person had as many messages in that hour as an account or a site gives.
create table summarized_alerts (
  user_id integer references users on delete cascade,
  alert_id bigint references alerts on delete cascade,
  primary key (user_id, alert_id)
);
create index summarized_alerts_alert on summarized_alerts (alert_id);

alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check
    check (kind in ('raised', 'cleared', 'assigned', 'further', 'began', 'ended', 'test')),
  -- Of a summary: how many alerts it counts, and their site where they are of one.
  add column further_alerts integer,
  add column site_id integer references sites on delete cascade;
create index notifications_site on notifications (site_id) where site_id is not null;
create index notifications_recent on notifications (user_id, created_at);

drop index notifications_once;
create unique index notifications_once on notifications
  (alert_id, outage_id, user_id, channel, coalesce(push_subscription_id, 0), kind) nulls not distinct
  where kind not in ('further', 'test');
-- One summary at a time waits for its first attempt.
create unique index notifications_further on notifications (user_id, channel, coalesce(push_subscription_id, 0))
  where kind = 'further' and state = 'waiting' and attempts = 0;
