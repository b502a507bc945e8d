-- A message to the assignee of an alert, when another person assigned it.
alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('raised', 'cleared', 'assigned', 'began', 'ended', 'test'));
