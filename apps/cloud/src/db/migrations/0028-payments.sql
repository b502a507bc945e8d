-- Pages of a provider on which a buyer pays an order. Amounts are in the smallest unit, as in orders.
create table payment_checkouts (
  provider text not null,
  -- As the provider names it.
  id text not null,
  order_id integer not null references orders on delete cascade,
  amount bigint not null check (amount > 0),
  currency text not null,
  url text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When it was paid, or ended.
  closed_at timestamptz,
  primary key (provider, id)
);
create index payment_checkouts_of_order on payment_checkouts (order_id);
create index payment_checkouts_open on payment_checkouts (expires_at) where closed_at is null;

-- Notifications that had their effect: a provider sends each at least once.
create table payment_events (
  provider text not null,
  id text not null,
  received_at timestamptz not null,
  primary key (provider, id)
);
create index payment_events_by_age on payment_events (received_at);
