-- Support recovery sessions. Their state follows from the dates: see db/recovery-sessions.ts. Without an organization the
-- operator's staff is let in. request_expires_at is null where an owner opened it.
create table recovery_sessions (
  id integer generated always as identity primary key,
  site_id integer not null references sites on delete cascade,
  organization_id integer references organizations,
  access text not null check (access in ('diagnose', 'repair', 'settings')),
  reason text not null,
  ticket_id integer references tickets on delete set null,
  hours integer not null,
  requested_by integer references users on delete set null,
  requested_at timestamptz not null,
  request_expires_at timestamptz,
  approved_by integer references users on delete set null,
  opened_at timestamptz,
  expires_at timestamptz check ((expires_at is null) = (opened_at is null)),
  declined_at timestamptz,
  ended_at timestamptz,
  ended_by integer references users on delete set null,
  end_reason text check ((end_reason is null) = (ended_at is null)),
  -- Whether its end has been recorded and mailed, also an end by time.
  is_concluded boolean not null default false
);
create index recovery_sessions_of_site on recovery_sessions (site_id, id);
create index recovery_sessions_of_organization on recovery_sessions (organization_id, id);
create index recovery_sessions_of_ticket on recovery_sessions (ticket_id, id);
create index recovery_sessions_open on recovery_sessions (coalesce(expires_at, request_expires_at)) where not is_concluded;

create table recovery_session_participants (
  session_id integer not null references recovery_sessions on delete cascade,
  user_id integer not null references users on delete cascade,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (session_id, user_id)
);
create index recovery_session_participants_user on recovery_session_participants (user_id);

-- report_id is the device's own id of what it reports, which it may report twice.
create table recovery_session_events (
  id integer generated always as identity primary key,
  session_id integer not null references recovery_sessions on delete cascade,
  at timestamptz not null,
  user_id integer references users on delete set null,
  kind text not null,
  subject text,
  succeeded boolean not null,
  report_id text,
  unique (session_id, report_id)
);
create index recovery_session_events_of_session on recovery_session_events (session_id, id);
