-- What proxies authenticate with, each with its own. A proxy without one is known by name and address only: no device is
-- sent to it, and nothing that it announces is taken.
create table proxy_credentials (
  id integer generated always as identity primary key,
  -- The only name that the credential may announce. A credential is there before its proxy announces itself first.
  proxy_name text not null,
  -- SHA-256 of the credential; the credential itself is shown once and stored nowhere.
  hash bytea not null unique,
  created_at timestamptz not null,
  -- To within a few minutes.
  last_used_at timestamptz,
  -- The address that it was last used from.
  last_used_from text
);
create index proxy_credentials_by_proxy on proxy_credentials (proxy_name);
