-- When the owner was mailed about the suspension; one who has not accepted the site is not, until then.
alter table device_delegations add column mailed_at timestamptz;
update device_delegations set mailed_at = suspended_at where suspended_at is not null;
