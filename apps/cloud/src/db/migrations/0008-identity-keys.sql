-- What a key signs: 'sites', tokens for proxies and devices (Ed25519); 'identity', who somebody is, for applications
-- (RSA). Each purpose has keys of its own, with one that signs and one that waits.
alter table signing_keys add column purpose text not null default 'sites' check (purpose in ('sites', 'identity'));
alter table signing_keys alter column purpose drop default;
