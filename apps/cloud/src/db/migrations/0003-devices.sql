-- Devices are listed and found by what their uid begins with.
create index devices_by_uid on devices (uid collate "C");
-- The few that somebody has to do something about, among the many that are registered.
create index devices_without_site on devices (uid collate "C") where site_id is null;
create index devices_revoked on devices (uid collate "C") where revoked_at is not null;

create index activation_codes_organization on activation_codes (organization_id, id);
create index activation_requests_organization on activation_requests (organization_id, requested_at);
