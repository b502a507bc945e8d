-- Places in the feed of events, of what the service does about events, each once.
create table event_cursors (
  name text primary key,
  transaction xid8 not null,
  id bigint not null
);

-- What an account is notified of, and how. Without a row, the defaults of the columns.
create table notification_settings (
  user_id integer primary key references users on delete cascade,
  -- Least severity of alerts: of the sites that the account owns or administrates, and of those of its teams; null: none.
  severity smallint default 3 check (severity between 1 and 3),
  team_severity smallint check (team_severity between 1 and 3),
  -- Of team sites with one of these tags alone; of all without any.
  team_tags text[] not null default '{}',
  -- Critical alerts of team sites that are not acknowledged after these minutes; null: none.
  escalation_minutes smallint check (escalation_minutes between 5 and 1440),
  -- Outages of organizations that the account manages.
  outages boolean not null default true,
  mail boolean not null default true,
  digest text not null default 'at_once' check (digest in ('at_once', 'hourly', 'daily')),
  -- Minutes after midnight in the time zone, between which messages wait.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  time_zone text not null default 'UTC',
  -- The address of a topic and its token; the token of a bot and the number of a chat.
  sealed_ntfy bytea,
  sealed_telegram bytea,
  check ((quiet_from is null) = (quiet_until is null))
);
create index notification_settings_escalation on notification_settings (user_id) where escalation_minutes is not null;

-- Browsers that take messages of an account (Web Push, RFC 8030).
create table push_subscriptions (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  endpoint text not null unique,
  p256dh bytea not null,
  auth bytea not null,
  label text not null,
  created_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id);

-- The key pair by which push services recognize this service (VAPID, RFC 8292).
create table push_keys (
  only_one boolean primary key default true check (only_one),
  public_key bytea not null,
  sealed_private_key bytea not null
);

-- Messages to people: each about one alert or outage, by one channel.
create table notifications (
  id bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  channel text not null check (channel in ('mail', 'push', 'ntfy', 'telegram')),
  push_subscription_id integer references push_subscriptions on delete cascade,
  kind text not null check (kind in ('raised', 'cleared', 'began', 'ended', 'test')),
  alert_id bigint references alerts on delete cascade,
  outage_id bigint references outages on delete cascade,
  state text not null check (state in ('waiting', 'sending', 'sent', 'failed', 'skipped')),
  -- Attempts that may have reached the receiver although no answer came.
  doubtful boolean not null default false,
  attempts smallint not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- Why the last attempt failed.
  failure text
);
create unique index notifications_once on notifications
  (alert_id, outage_id, user_id, channel, coalesce(push_subscription_id, 0), kind) nulls not distinct
  where kind <> 'test';
create index notifications_outage on notifications (outage_id) where outage_id is not null;
create index notifications_subscription on notifications (push_subscription_id) where push_subscription_id is not null;
create index notifications_due on notifications (due_at) where state in ('waiting', 'sending');
create index notifications_user on notifications (user_id, id desc);
create index notifications_created on notifications using brin (created_at) with (autosummarize = on);
