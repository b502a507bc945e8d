-- What waits to be sent, or was. One process at a time has a claim on a row, which ends with its lease.
create table deliveries (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('mail', 'push', 'ntfy', 'telegram', 'webhook')),
  -- Those who share turns: the people of an organization, by its id; another account has its own, minus its id; 0: neither.
  tenant integer not null,
  -- The deliveries of lane 0 leave first, or have more of the connections.
  lane smallint not null default 0 check (lane in (0, 1)),
  -- A mail: what it is about, and the name of its Message-ID.
  payload jsonb,
  message_id uuid,
  -- By the clock of the cloud; null: nothing waits.
  due_at timestamptz,
  -- By the clock of the database, which all processes share.
  lease_until timestamptz,
  -- Without success in a row.
  attempts integer not null default 0,
  failing_since timestamptz,
  -- A process died while it sent: the receiver may have it.
  doubtful boolean not null default false,
  failure text,
  outcome text check (outcome in ('sent', 'skipped', 'refused', 'failed')),
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((outcome is null) = (ended_at is null))
);
create index deliveries_mail_turn on deliveries (lane, tenant, due_at, id) where kind = 'mail' and due_at is not null;
create index deliveries_due on deliveries (kind, due_at) where due_at is not null;
create index deliveries_ended on deliveries (ended_at) where ended_at is not null;
