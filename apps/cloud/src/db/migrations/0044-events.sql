-- What happened, for 30 days, in the order (transaction, id). Not bound to sites and accounts by foreign keys: the end
-- of a site is an event of it.
create table events (
  id bigint generated always as identity primary key,
  -- Readers stop before transactions that have not ended, so that no event appears before one that was read already.
  transaction xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  type text not null,
  site_id integer,
  organization_id integer,
  user_id integer,
  data jsonb not null
);
create index events_order on events (transaction, id);
create index events_site on events (site_id, transaction, id) where site_id is not null;
create index events_organization on events (organization_id, transaction, id) where organization_id is not null;
create index events_user on events (user_id, transaction, id) where user_id is not null;
create index events_at on events using brin (at) with (autosummarize = on);
