-- What orders and tickets are found by: their own words, and those of rows beside them, which triggers keep.
alter table orders add column part_words tsvector not null default '';

create function order_part_words(integer) returns tsvector language sql stable as $$
  select search_words(concat_ws(' ',
    (select string_agg(concat_ws(' ', sku, name), ' ') from order_items where order_id = $1),
    (select string_agg(reference, ' ') from order_payments where order_id = $1)))
$$;

create function keep_order_part_words() returns trigger language plpgsql as $$
begin
  update orders set part_words = order_part_words(id) where id in (select order_id from added);
  return null;
end $$;
-- Names of items and references of payments never change.
create trigger order_items_words after insert on order_items
  referencing new table as added for each statement execute function keep_order_part_words();
create trigger order_payments_words after insert on order_payments
  referencing new table as added for each statement execute function keep_order_part_words();
update orders set part_words = order_part_words(id);

alter table orders add column search tsvector not null generated always as (search_words(
  number || ' ' || first_name || ' ' || last_name || ' ' || email) || part_words) stored;
create index orders_search on orders using gin (search) with (fastupdate = off);
create index orders_email on orders (lower(email), id desc);
create index orders_state on orders (state, id desc);
create index orders_payment_state on orders (payment_state, id desc);

alter table tickets add column topic_words tsvector not null default '';

create function ticket_topic_words(requester integer, site integer) returns tsvector language sql stable as $$
  select search_words(concat_ws(' ', first_name, last_name, email, (select name from sites where id = site)))
  from users where id = requester
$$;

create function put_ticket_topic_words() returns trigger language plpgsql as $$
begin
  new.topic_words := ticket_topic_words(new.requester_id, new.site_id);
  return new;
end $$;
create trigger tickets_words before insert or update of requester_id, site_id on tickets
  for each row execute function put_ticket_topic_words();

create function keep_words_of_requested_tickets() returns trigger language plpgsql as $$
begin
  update tickets set topic_words = ticket_topic_words(requester_id, site_id) where requester_id = new.id;
  return null;
end $$;
create trigger users_ticket_words after update of first_name, last_name, email on users for each row
  when ((old.first_name, old.last_name, old.email) is distinct from (new.first_name, new.last_name, new.email))
  execute function keep_words_of_requested_tickets();

create function keep_words_of_site_tickets() returns trigger language plpgsql as $$
begin
  update tickets set topic_words = ticket_topic_words(requester_id, site_id) where site_id = new.id;
  return null;
end $$;
create trigger sites_ticket_words after update of name on sites for each row
  when (old.name is distinct from new.name) execute function keep_words_of_site_tickets();
update tickets set topic_words = ticket_topic_words(requester_id, site_id);

alter table tickets add column search tsvector not null generated always as (
  search_words(id::text || ' ' || subject) || topic_words) stored;
create index tickets_search on tickets using gin (search) with (fastupdate = off);
create index tickets_state on tickets (state, updated_at, id);
