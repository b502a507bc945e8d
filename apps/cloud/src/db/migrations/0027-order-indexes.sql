-- A code that ends looks for its order, and lists of a seller look for its orders.
create index orders_activation_code on orders (activation_code_id);
drop index orders_of_seller;
create index orders_of_seller on orders (organization_id, id desc);
