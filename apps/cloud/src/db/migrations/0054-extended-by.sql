-- Who extends a session of support consents to it, and does not use it.
alter table recovery_sessions add column extended_by integer[] not null default '{}';
