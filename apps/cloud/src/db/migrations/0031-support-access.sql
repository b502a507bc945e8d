-- Whether the device lets support be let in: null before it reported that.
alter table devices add column support_access text;
