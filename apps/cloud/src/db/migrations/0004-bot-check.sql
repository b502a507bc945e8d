-- Challenges of the bot check that have been solved; each solution is good once. Kept until the challenge expires.
create unlogged table bot_check_solutions (
  -- SHA-256 of the challenge's signature.
  challenge bytea primary key,
  expires_at timestamptz not null
);
create index bot_check_solutions_expiry on bot_check_solutions (expires_at);
