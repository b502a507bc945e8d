-- Which session, API token or grant of a third party was given site tokens for which site, which are to end with it.
create table site_token_sources (
  -- 'token:<id>' or 'grant:<id>', as it stands in the site tokens. No reference: it is of several tables.
  source text not null,
  site_id integer not null references sites on delete cascade,
  user_id integer not null,
  -- What the last of them allows: 'read', 'write' (settings), 'configure' (also the device itself).
  access text not null check (access in ('read', 'write', 'configure')),
  -- When the last one was issued.
  issued_at timestamptz not null,
  -- When the last one was issued that does not name its source, by an earlier release.
  issued_unnamed_at timestamptz,
  primary key (source, site_id)
);
create index site_token_sources_site on site_token_sources (site_id);
create index site_token_sources_time on site_token_sources (issued_at);

-- Site tokens that are no longer good, kept for as long as one of them could live; only the newest of each counts.
create table site_token_revocations (
  site_id integer not null references sites on delete cascade,
  -- 'user:<id>': those issued to the account before; 'token:<id>' and 'grant:<id>': all of that source.
  subject text not null,
  user_id integer not null,
  revoked_at timestamptz not null,
  primary key (site_id, subject)
);
create index site_token_revocations_time on site_token_revocations (revoked_at);

insert into site_token_sources (source, site_id, user_id, access, issued_at, issued_unnamed_at)
  select 'grant:' || grant_id, issued.site_id, grants.user_id, 'read', issued_at, issued_at
  from oauth_site_tokens as issued join oauth_grants as grants on grants.id = issued.grant_id;
insert into site_token_revocations (site_id, subject, user_id, revoked_at)
  select site_id, 'user:' || user_id, user_id, revoked_at from site_revocations;

-- While a process of the earlier release runs beside, each keeps the other's tables up to date. That release knows
-- revocations of accounts alone, so there a revocation of any kind is one of the account. A later migration drops
-- both old tables together with this.
create function copy_old_site_token() returns trigger language plpgsql as $$
begin
  insert into site_token_sources (source, site_id, user_id, access, issued_at, issued_unnamed_at)
    select 'grant:' || new.grant_id, new.site_id, user_id, 'read', new.issued_at, new.issued_at
    from oauth_grants where id = new.grant_id
    on conflict (source, site_id) do update
      set issued_at = excluded.issued_at, issued_unnamed_at = excluded.issued_unnamed_at;
  return null;
end $$;
create trigger oauth_site_tokens_copy after insert or update on oauth_site_tokens
  for each row when (pg_trigger_depth() = 0) execute function copy_old_site_token();

create function copy_new_site_token() returns trigger language plpgsql as $$
begin
  insert into oauth_site_tokens (grant_id, site_id, issued_at)
    values (substr(new.source, 7), new.site_id, new.issued_at)
    on conflict (grant_id, site_id) do update set issued_at = excluded.issued_at;
  return null;
end $$;
create trigger site_token_sources_copy after insert or update on site_token_sources
  for each row when (pg_trigger_depth() = 0 and new.source like 'grant:%') execute function copy_new_site_token();

create function copy_old_site_revocation() returns trigger language plpgsql as $$
begin
  insert into site_token_revocations (site_id, subject, user_id, revoked_at)
    values (new.site_id, 'user:' || new.user_id, new.user_id, new.revoked_at)
    on conflict (site_id, subject) do update set revoked_at = excluded.revoked_at;
  return null;
end $$;
create trigger site_revocations_copy after insert or update on site_revocations
  for each row when (pg_trigger_depth() = 0) execute function copy_old_site_revocation();

create function copy_new_site_revocation() returns trigger language plpgsql as $$
begin
  insert into site_revocations (site_id, user_id, revoked_at)
    values (new.site_id, new.user_id, new.revoked_at)
    on conflict (site_id, user_id) do update set revoked_at = excluded.revoked_at;
  return null;
end $$;
create trigger site_token_revocations_copy after insert or update on site_token_revocations
  for each row when (pg_trigger_depth() = 0) execute function copy_new_site_revocation();
