-- Questions of customers. organization_id: who handles a ticket; null: the operator. home_organization_id: with a token
-- of that organization its requester sees it, whoever handles it.
create table tickets (
  id integer generated always as identity primary key,
  subject text not null,
  state text not null check (state in ('open', 'pending', 'resolved', 'closed')),
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  category text not null check (category in ('technical', 'billing', 'activation', 'account', 'other')),
  source text not null check (source in ('portal', 'device', 'email', 'api')),
  requester_id integer not null references users,
  assignee_id integer references users on delete set null,
  site_id integer references sites on delete set null,
  organization_id integer references organizations,
  home_organization_id integer references organizations,
  follow_up_of integer references tickets,
  -- Of the last public message.
  last_side text not null check (last_side in ('customer', 'support')),
  awaiting text generated always as (case
    when state in ('resolved', 'closed') then null
    when last_side = 'customer' then 'support' else 'customer' end) stored,
  waiting_since timestamptz check ((waiting_since is null) = (state in ('resolved', 'closed'))),
  -- Of public messages.
  message_count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_message_at timestamptz not null,
  resolved_at timestamptz,
  closed_at timestamptz check ((closed_at is null) = (state <> 'closed'))
);
create index tickets_by_change on tickets (updated_at, id);
create index tickets_of_requester on tickets (requester_id, updated_at, id);
create index tickets_of_organization on tickets (organization_id, updated_at, id);
create index tickets_assignee on tickets (assignee_id);
create index tickets_site on tickets (site_id);
create index tickets_resolved on tickets (resolved_at) where state = 'resolved';

create table ticket_messages (
  id integer generated always as identity primary key,
  ticket_id integer not null references tickets on delete cascade,
  author_id integer references users on delete set null,
  side text not null check (side in ('customer', 'support', 'service')),
  internal boolean not null check (not internal or side <> 'customer'),
  body text not null,
  created_at timestamptz not null
);
create index ticket_messages_of_ticket on ticket_messages (ticket_id, id);

-- Without a message: an upload of its owner. expires_at is an hour after an upload and, once the ticket of its message is
-- closed, the end of its retention.
create table ticket_attachments (
  id integer generated always as identity primary key,
  message_id integer references ticket_messages on delete cascade,
  owner_id integer not null references users on delete cascade,
  name text not null,
  content_type text not null,
  size integer not null,
  sha256 text not null,
  bytes bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz check (message_id is not null or expires_at is not null)
);
-- Most files are compressed already.
alter table ticket_attachments alter column bytes set storage external;
create index ticket_attachments_of_message on ticket_attachments (message_id);
create index ticket_attachments_expiry on ticket_attachments (expires_at);
create index ticket_attachments_owner on ticket_attachments (owner_id);
