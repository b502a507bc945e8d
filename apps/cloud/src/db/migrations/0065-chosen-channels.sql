-- Whether the owner of the site has chosen the channel of the device since its last call, so that its next report is older
-- than the choice.
alter table devices add column is_channel_chosen boolean not null default false;
