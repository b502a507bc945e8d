-- When an invitation was last mailed to an account, so that asking again and again does not mail again and again.
alter table users add column invited_at timestamptz;
