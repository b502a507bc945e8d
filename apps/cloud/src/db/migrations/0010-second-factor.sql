-- Since when the account has a second factor: a confirmed authenticator app or a passkey. Null: the password is enough.
alter table users add column second_factor_at timestamptz;

-- When the person behind a session last proved who they are.
alter table tokens add column authenticated_at timestamptz;

-- Whether people who work for the organization need a second factor.
alter table organizations add column requires_second_factor boolean not null default false;

alter table one_time_tokens
  -- Of a session that is handed over: when its person last proved who they are.
  add column authenticated_at timestamptz,
  -- Of a sign-in that waits for a second factor: where it came from, and how the factor was shown once it was.
  add column address inet,
  add column factor text;

-- Time-based one-time passwords (RFC 6238), one secret an account.
create table authenticator_apps (
  user_id integer primary key references users on delete cascade,
  -- The secret under AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext.
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The newest time step of which a code was accepted: no code of it or of an older one is accepted again.
  last_step bigint,
  last_used_at timestamptz
);

-- What stands in for a lost second factor, each once.
create table recovery_codes (
  user_id integer not null references users on delete cascade,
  -- HMAC-SHA-256 under a key derived from the cloud's secret.
  hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- WebAuthn credentials.
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  credential_id bytea not null constraint passkeys_credential unique,
  -- The host whose pages may ask for it.
  rp_id text not null,
  -- COSE_Key, CBOR.
  public_key bytea not null,
  -- How often the authenticator says it has signed; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  -- Whether it is kept by a service that its owner's other devices share.
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a passkey has to sign, once.
create table passkey_challenges (
  -- SHA-256 of the challenge.
  hash bytea primary key,
  purpose text not null check (purpose in ('register', 'second_factor', 'sign_in')),
  -- Null for a sign-in by passkey alone: who it is says the answer.
  user_id integer references users on delete cascade,
  -- The page that asks for it.
  origin text not null,
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
