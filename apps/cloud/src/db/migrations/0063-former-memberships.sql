-- The membership that the former owner was given with a handover: it can recall the site, and ends with the handover. It is
-- null from its end on, also where the account was given another role on the site after that.
alter table site_transfers add column former_member_id integer;
update site_transfers set former_member_id = former_owner_id from site_members as members
  where members.site_id = site_transfers.site_id and members.user_id = former_owner_id
    and members.created_at <= site_transfers.created_at;
alter table site_transfers
  add foreign key (site_id, former_member_id) references site_members (site_id, user_id)
    on delete set null (former_member_id);
