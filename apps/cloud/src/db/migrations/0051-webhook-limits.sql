-- Of an account's webhook: it sends events of this organization's sites alone, as the session that made it was limited to it.
alter table webhooks add column limited_to_organization_id integer references organizations on delete cascade
  check (limited_to_organization_id is null or user_id is not null);
create index webhooks_limit on webhooks (limited_to_organization_id) where limited_to_organization_id is not null;
