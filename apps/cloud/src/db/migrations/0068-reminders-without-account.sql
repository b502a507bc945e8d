-- Whether the former owner was reminded of a handover while its new owner had no account: that mail had no date, so that the
-- handover becomes final only after another one.
alter table site_transfers add column reminded_without_account boolean not null default false;
update site_transfers set reminded_without_account = true from sites join users as owners on owners.id = sites.owner_id
  where sites.id = site_transfers.site_id and reminded_at is not null
    and (owners.confirmed_at is null or owners.password_hash is null);
