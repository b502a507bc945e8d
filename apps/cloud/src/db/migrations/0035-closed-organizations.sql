-- A closed organization has no row in organizations, so that no query has to leave it out. Records of the past refer to the
-- name that stays here.
create table closed_organizations (
  id integer primary key,
  name text not null,
  closed_at timestamptz not null
);

-- The name of every organization that there is or was.
create view organization_names as
  select id, name from organizations union all select id, name from closed_organizations;

-- These records outlive their organization; new ones need an organization that is not closed.
alter table products drop constraint products_organization_id_fkey;
alter table orders drop constraint orders_organization_id_fkey;
alter table tickets drop constraint tickets_organization_id_fkey;
alter table recovery_sessions drop constraint recovery_sessions_organization_id_fkey;
alter table tickets
  drop constraint tickets_home_organization_id_fkey,
  add constraint tickets_home_organization_id_fkey
    foreign key (home_organization_id) references organizations on delete set null;
create index tickets_home_organization on tickets (home_organization_id) where home_organization_id is not null;

-- A foreign key's check of new references, with its lock: the organization is not closed before the transaction ends.
create function require_open_organization() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.organization_id is not distinct from old.organization_id then
    return new;
  end if;
  perform from organizations where id = new.organization_id for key share;
  if not found then
    raise foreign_key_violation using
      message = format('organization %s is closed', new.organization_id),
      table = tg_table_name,
      constraint = tg_table_name || '_organization_id_fkey';
  end if;
  return new;
end $$;
create trigger products_organization before insert or update of organization_id on products
  for each row when (new.organization_id is not null) execute function require_open_organization();
create trigger orders_organization before insert or update of organization_id on orders
  for each row when (new.organization_id is not null) execute function require_open_organization();
create trigger tickets_organization before insert or update of organization_id on tickets
  for each row when (new.organization_id is not null) execute function require_open_organization();
create trigger recovery_sessions_organization before insert or update of organization_id on recovery_sessions
  for each row when (new.organization_id is not null) execute function require_open_organization();
