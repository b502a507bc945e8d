-- When the link that confirms the address was last mailed, so that asking again and again does not mail again and
-- again.
alter table users add column confirmation_mailed_at timestamptz;
