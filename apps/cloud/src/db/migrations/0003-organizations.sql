-- Links in mails carry tokens, so they lead to an organization's host only when an operator has looked at it.
-- What an operator writes is good at once; what the organization itself writes waits.
alter table organizations add column cloud_host_vetted boolean not null default true;
