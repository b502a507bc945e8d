-- What acts later on behalf of an account, an organization or a site: who made it, with which credential.
create table delegations (
  id integer generated always as identity primary key,
  kind text not null check (kind in
    ('webhook', 'share', 'application', 'activation_code', 'connection', 'push', 'ntfy', 'telegram')),
  webhook_id integer unique references webhooks on delete cascade,
  client_id text unique references oauth_clients on delete cascade,
  activation_code_id integer unique references activation_codes on delete cascade,
  grant_id text unique references oauth_grants on delete cascade,
  push_subscription_id integer unique references push_subscriptions on delete cascade,
  -- The account that it belongs to; null for that of an organization or a site.
  user_id integer references users on delete cascade,
  -- The organization that it belongs to, or that a site is shared with.
  organization_id integer references organizations on delete cascade,
  site_id integer references sites on delete cascade,
  -- Null for one that the operator's command line made, or of which the author is not known.
  author_id integer references users on delete set null,
  -- The credential of the author, whose row is deleted a while after its end.
  token_id integer,
  token_kind text,
  token_name text,
  created_at timestamptz not null,
  -- Since then it does nothing: its author lost the right to it.
  suspended_at timestamptz,
  suspended_for text check (suspended_for in ('token', 'role', 'account')),
  -- When those who decide about it were mailed.
  mailed_at timestamptz,
  check ((suspended_at is null) = (suspended_for is null))
);
create unique index delegations_share on delegations (organization_id, site_id) where kind = 'share';
create unique index delegations_channel on delegations (user_id, kind) where kind in ('ntfy', 'telegram');
create index delegations_user on delegations (user_id) where user_id is not null;
create index delegations_organization on delegations (organization_id) where organization_id is not null;
create index delegations_site on delegations (site_id) where site_id is not null;
create index delegations_author on delegations (author_id) where author_id is not null;
-- Those that can lose their author.
create index delegations_bound on delegations (id)
  where suspended_at is null and (user_id is null or token_kind = 'api');
create index delegations_to_mail on delegations (id) where suspended_at is not null and mailed_at is null;

alter table webhooks
  drop constraint webhooks_ended_check,
  add constraint webhooks_ended_check check (ended in ('gave_up', 'gone', 'suspended'));

-- The authors of what exists already, from its own record or the audit log.
insert into delegations (kind, webhook_id, user_id, organization_id, author_id, token_id, token_kind, token_name, created_at)
select 'webhook', webhooks.id, webhooks.user_id, webhooks.organization_id,
  coalesce(webhooks.user_id, authors.id), made.token_id, tokens.kind, tokens.name, webhooks.created_at
from webhooks
left join lateral (select actor_id, token_id from audit_events where action = 'webhook.created'
  and (webhooks.organization_id is null or audit_events.organization_id = webhooks.organization_id)
  and details ->> 'id' = webhooks.id::text order by audit_events.id desc limit 1) as made on true
left join users as authors on authors.id = made.actor_id
left join tokens on tokens.id = made.token_id;

insert into delegations (kind, organization_id, site_id, author_id, created_at)
select 'share', organization_id, site_id, granted_by, created_at from organization_sites;

insert into delegations (kind, client_id, organization_id, author_id, created_at)
select 'application', client_id, organization_id, created_by, created_at from oauth_clients
where organization_id is not null;

-- Codes of orders were paid for: they belong to the customer.
insert into delegations (kind, activation_code_id, organization_id, author_id, created_at)
select 'activation_code', id, organization_id, created_by, created_at from activation_codes
where created_by is not null and not exists (select from orders where activation_code_id = activation_codes.id);

insert into delegations (kind, grant_id, user_id, site_id, author_id, created_at)
select 'connection', id, user_id, site_id, user_id, created_at from oauth_grants where revoked_at is null;

insert into delegations (kind, push_subscription_id, user_id, author_id, created_at)
select 'push', id, user_id, user_id, created_at from push_subscriptions;

insert into delegations (kind, user_id, author_id, created_at)
select channel, user_id, user_id, now() from notification_settings
cross join lateral (values ('ntfy', sealed_ntfy), ('telegram', sealed_telegram)) as channels (channel, sealed)
where sealed is not null;

-- People left, and tokens ended, without an end of what they had made. That goes on, with an author who is not known.
update delegations set author_id = user_id, token_id = null, token_kind = null, token_name = null
where (token_kind = 'api' and not exists (select from tokens where tokens.id = delegations.token_id
    and tokens.revoked_at is null and (tokens.expires_at is null or tokens.expires_at > now())))
  or exists (select from account_deletions where account_deletions.user_id = delegations.author_id)
  or (kind = 'share' and not exists (select from sites left join site_members as members
      on members.site_id = sites.id and members.user_id = delegations.author_id
    where sites.id = delegations.site_id
      and (sites.owner_id = delegations.author_id or members.role in ('owner', 'admin'))))
  or (user_id is null and kind <> 'share' and not exists (select from users left join organization_members as employees
      on employees.user_id = users.id and employees.organization_id = delegations.organization_id
    where users.id = delegations.author_id and (users.staff or employees.role in ('owner', 'admin'))));
