alter table notification_settings
  -- Rules whose alerts give no message.
  add column muted_rules text[] not null default '{}',
  -- Alerts of these sites alone; of all where there is none.
  add column site_ids integer[] not null default '{}',
  -- Whether a message follows when an alert is over.
  add column cleared boolean not null default true;
