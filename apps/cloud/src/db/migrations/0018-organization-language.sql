-- The language of mails to people whom the organization invites and who have no account yet. Null: that of the inviter.
alter table organizations add column locale text;
