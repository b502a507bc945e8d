-- Organizations that an account became a customer of by its own consent, besides the one in users.organization_id, with which it
-- registered or to which it was invited.
create table organization_customers (
  organization_id integer not null references organizations (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index organization_customers_user on organization_customers (user_id);
