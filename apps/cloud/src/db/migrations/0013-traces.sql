-- Where a token was last used from; written with `last_used_at`.
alter table tokens add column last_used_address inet;

-- Which audit record counts the failed sign-ins of an account from a network, for an hour each: a guesser who tries
-- for hours makes one record an hour, and not one for each try.
create table sign_in_failures (
  -- SHA-256 of what happened, the account, and the network.
  key bytea primary key,
  since timestamptz not null,
  audit_id bigint not null
);
create index sign_in_failures_since on sign_in_failures (since);

-- Records of failed sign-ins are the only ones that strangers cause; housekeeping deletes them after half a year.
create index audit_events_sign_in_failures on audit_events (at)
  where action in ('account.sign_in_failed', 'account.locked_out');
