-- What a ticket is about, besides a site.
alter table tickets add column order_id integer references orders on delete set null;
create index tickets_order on tickets (order_id) where order_id is not null;
