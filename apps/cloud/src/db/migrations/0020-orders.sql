-- What a seller charges besides prices: taxes and delivery, as its catalogue's file says. seller: 0 is the operator's own shop.
create table shop_terms (
  seller integer primary key,
  terms jsonb not null
);

-- Orders are numbered by seller, without gaps.
create table order_numbers (
  seller integer primary key,
  last integer not null
);

-- Amounts are in the smallest unit of the order's currency.
create table orders (
  id integer generated always as identity primary key,
  -- null: the operator's own shop
  organization_id integer references organizations,
  number text not null,
  user_id integer references users on delete set null,
  email text not null,
  first_name text not null,
  last_name text not null,
  state text not null default 'open' check (state in ('open', 'completed', 'cancelled')),
  payment_state text not null default 'unpaid'
    check (payment_state in ('unpaid', 'paid', 'partially_refunded', 'refunded')),
  currency text not null,
  subtotal bigint not null check (subtotal >= 0),
  shipping bigint not null check (shipping >= 0),
  tax bigint not null check (tax >= 0),
  total bigint not null check (total >= 0),
  paid bigint not null default 0 check (paid between 0 and total),
  refunded bigint not null default 0 check (refunded between 0 and paid),
  prices_include_tax boolean not null,
  -- [{"name": "VAT", "rate": "0.19", "amount": 1900}]
  tax_lines jsonb not null,
  billing_address jsonb,
  shipping_address jsonb,
  note text,
  -- The code of the paid licences; gone when the seller revoked it.
  activation_code_id integer references activation_codes on delete set null,
  activation_code_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  paid_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz
);
create unique index orders_number on orders (coalesce(organization_id, 0), number);
create index orders_of_seller on orders (coalesce(organization_id, 0), id desc);
create index orders_of_buyer on orders (user_id, id desc);
create index orders_unpaid on orders (created_at) where state = 'open' and payment_state = 'unpaid';

create table order_items (
  id integer generated always as identity primary key,
  order_id integer not null references orders on delete cascade,
  product_id integer not null references products,
  sku text not null,
  name text not null,
  kind text not null,
  quantity integer not null check (quantity > 0),
  unit_price bigint not null,
  subtotal bigint not null,
  tax_rate text not null,
  tax bigint not null,
  total bigint not null,
  licence jsonb,
  -- The device that a licence activates.
  device_uid text,
  fulfilled_at timestamptz
);
create index order_items_of_order on order_items (order_id, id);

create table order_payments (
  id integer generated always as identity primary key,
  order_id integer not null references orders on delete cascade,
  -- That of the order, 0 for the operator's own shop: references are unique among a seller's payments.
  seller integer not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  refunded bigint not null default 0 check (refunded between 0 and amount),
  method text not null check (method in ('bank_transfer', 'card', 'cash', 'other')),
  provider text,
  reference text,
  paid_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by integer references users on delete set null,
  -- Late, double or wrong money, which pays nothing.
  excess boolean not null
);
create index order_payments_of_order on order_payments (order_id, id);
create unique index order_payments_reference on order_payments (seller, coalesce(provider, ''), reference);

create table order_shipments (
  id integer generated always as identity primary key,
  order_id integer not null references orders on delete cascade,
  carrier text not null,
  tracking_number text,
  tracking_url text,
  shipped_at timestamptz not null
);
create index order_shipments_of_order on order_shipments (order_id, id);

-- Answers to requests with an Idempotency-Key, for 24 hours.
create table idempotent_requests (
  user_id integer not null references users on delete cascade,
  path text not null,
  key text not null,
  -- Of the body: SHA-256.
  digest bytea not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (user_id, path, key)
);
create index idempotent_requests_by_age on idempotent_requests (created_at);
