-- What sellers offer. organization_id null: the operator's own shop. Nothing is deleted: orders refer to products.
create table products (
  id integer generated always as identity primary key,
  organization_id integer references organizations,
  sku text not null check (sku ~ '^[a-z0-9_]{1,64}$'),
  name text not null,
  description text,
  kind text not null check (kind in ('device', 'accessory', 'licence', 'service')),
  state text not null check (state in ('draft', 'active', 'archived')),
  -- [{"amount": 22900, "currency": "USD"}], one for each currency, by currency.
  prices jsonb not null,
  tax_category text not null check (tax_category in ('standard', 'reduced', 'exempt')),
  -- {"devices": 1, "months": 12}; months null: perpetual.
  licence jsonb check ((licence is null) = (kind <> 'licence')),
  stock integer check (stock >= 0),
  url text,
  image_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index products_sku on products (coalesce(organization_id, 0), sku);
create index products_by_name on products (lower(name), id);
