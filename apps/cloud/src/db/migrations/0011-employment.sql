-- Invitations to work for an organization that their accounts have not accepted. They give nothing: whatever asks who
-- works for an organization reads organization_members.
create table employment_invitations (
  organization_id integer not null references organizations on delete cascade,
  user_id integer not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  -- Names as the inviter gave them: the organization is shown no others before the account accepts.
  first_name text not null,
  last_name text not null,
  invited_by integer references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the invitation was last mailed, so that inviting again and again does not mail again and again.
  mailed_at timestamptz,
  primary key (organization_id, user_id)
);
create index employment_invitations_user on employment_invitations (user_id);
create index employment_invitations_expiry on employment_invitations (expires_at);

-- Whether the first password that is set with the token accepts the invitation to the organization's team.
alter table one_time_tokens add column accepts_employment boolean not null default false;
