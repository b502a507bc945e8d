-- Housekeeping looks for what is long over; without these it would read whole tables every hour.
create index tokens_expiry on tokens (expires_at) where expires_at is not null;
create index tokens_revocation on tokens (revoked_at) where revoked_at is not null;
create index known_addresses_seen_at on known_addresses (seen_at);
create index device_proofs_expiry on device_proofs (expires_at);
