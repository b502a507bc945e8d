-- Accounts that were added to a site, or made its owner, and have not accepted that: until then nothing of the site is
-- sent to them, and it shows no other names of them. Who was there before has accepted.
create table site_invitations (
  site_id integer not null references sites on delete cascade,
  user_id integer not null references users on delete cascade,
  -- As the inviter gave them.
  email text not null,
  first_name text not null,
  last_name text not null,
  invited_by integer references users on delete set null,
  created_at timestamptz not null,
  primary key (site_id, user_id)
);
create index site_invitations_user on site_invitations (user_id);
create index site_invitations_inviter on site_invitations (invited_by);

-- Handovers that the new owner has not accepted: the site goes back when one of both wants it to.
create table site_transfers (
  site_id integer primary key references sites on delete cascade,
  former_owner_id integer not null references users on delete cascade,
  -- The role that the new owner had before; null for none.
  former_role text check (former_role in ('admin', 'member')),
  created_at timestamptz not null
);
create index site_transfers_former_owner on site_transfers (former_owner_id);

-- The site of the invitation that the first password accepts which is set with the token. It may be gone.
alter table one_time_tokens add column accepts_site_id integer;
