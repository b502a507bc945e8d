-- Addresses that events are posted to. Each goes through the feed at its own pace.
create table webhooks (
  id integer generated always as identity primary key,
  -- Whose events: of an account, or of an organization.
  user_id integer references users on delete cascade,
  organization_id integer references organizations on delete cascade,
  name text not null,
  url text not null,
  -- None: every type.
  types text[] not null,
  sealed_secret bytea not null,
  -- Signs as well until then, after the secret was replaced.
  sealed_former_secret bytea,
  former_secret_until timestamptz,
  enabled boolean not null default true,
  -- Why the service switched it off.
  ended text check (ended in ('gave_up', 'gone')),
  -- Of the last event that was delivered.
  transaction xid8 not null,
  event_id bigint not null,
  position_at timestamptz not null,
  -- When it is looked at next.
  next_at timestamptz not null,
  -- Until then one process sends.
  claimed_until timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  last_delivered_at timestamptz,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, organization_id) = 1)
);
create index webhooks_user on webhooks (user_id) where user_id is not null;
create index webhooks_organization on webhooks (organization_id) where organization_id is not null;
create index webhooks_due on webhooks (next_at) where enabled;

-- The newest messages of each, for people who look for a fault.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id integer not null references webhooks on delete cascade,
  at timestamptz not null,
  event_id text not null,
  event_type text not null,
  -- Of the answer.
  status integer,
  outcome text not null,
  error text,
  duration_ms integer not null
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
