-- The searches of the list of sites that a person saved: an array of { name, search }, in the order of the page.
alter table users add column site_views jsonb not null default '[]';

-- devc2 before devc10, and letters of any language in their order.
create collation natural_order (provider = icu, locale = 'und-u-kn');
create index sites_by_natural_name on sites ((lower(name) collate natural_order), id);
create index sites_organization_by_natural_name on sites (organization_id, (lower(name) collate natural_order), id);
drop index sites_by_name;
drop index sites_organization_by_name;
