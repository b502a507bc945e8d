-- Accounts that are to be deleted, unless their person changes their mind.
create table account_deletions (
  user_id integer primary key references users on delete cascade,
  requested_at timestamptz not null,
  due_at timestamptz not null
);
create index account_deletions_due on account_deletions (due_at);

-- Files that support attached stay when the person who attached them is gone.
alter table ticket_attachments
  alter column owner_id drop not null,
  drop constraint ticket_attachments_owner_id_fkey,
  add foreign key (owner_id) references users on delete set null;

-- Records of a person's doing, whose address goes with the account.
create index audit_events_actor on audit_events (actor_id) where actor_id is not null and address is not null;
