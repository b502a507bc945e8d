-- Addresses that accounts are to get: each takes the place of the present one once the link mailed to it is opened. Of
-- several requests of an account the last one counts.
create table email_changes (
  user_id integer primary key references users on delete cascade,
  email text not null,
  -- That of the link, counted from the request until the mail is sent.
  expires_at timestamptz not null
);
create index email_changes_expiry on email_changes (expires_at);
