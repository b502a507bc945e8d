-- When the session expires that a token hands over: the session that it opens ends then, too.
alter table one_time_tokens add column session_expires_at timestamptz;
