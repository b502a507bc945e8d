-- Channels of accounts with messages by push, ntfy and Telegram: each sends one message at a time, and fails alone. Organizations
-- have their turns one after another.
drop trigger notifications_queue on notifications;
drop function queue_messages();
drop table message_queues;

create table message_queues (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  channel text not null check (channel in ('push', 'ntfy', 'telegram')),
  push_subscription_id integer references push_subscriptions on delete cascade,
  -- Those who share turns: the customers of an organization, by its id; another account has its own, minus its id.
  tenant integer not null,
  -- When one of its messages may be due, no later than the first is; null while none waits.
  turn_at timestamptz,
  -- Whether its last attempt failed. Such channels share a part of the connections.
  failing boolean not null default false
);
create unique index message_queues_channel on message_queues (user_id, channel, push_subscription_id)
  nulls not distinct;
create index message_queues_subscription on message_queues (push_subscription_id)
  where push_subscription_id is not null;
create index message_queues_due on message_queues (turn_at) where turn_at is not null;
create index message_queues_turn on message_queues (failing, tenant, turn_at) where turn_at is not null;

drop index notifications_turn;
create index notifications_turn on notifications
  (user_id, channel, coalesce(push_subscription_id, 0), urgency, due_at)
  where state in ('waiting', 'sending') and channel <> 'mail';

create function queue_messages() returns trigger language plpgsql as $$
begin
  insert into message_queues (user_id, channel, push_subscription_id, tenant, turn_at)
    select user_id, channel, push_subscription_id, coalesce(users.organization_id, -users.id), min(due_at)
    from stored join users on users.id = user_id
    where channel <> 'mail' and state in ('waiting', 'sending')
    group by user_id, channel, push_subscription_id, users.id order by user_id, channel, push_subscription_id
  on conflict (user_id, channel, push_subscription_id) do update
    set tenant = excluded.tenant, turn_at = least(message_queues.turn_at, excluded.turn_at);
  return null;
end $$;
create trigger notifications_queue after insert on notifications
  referencing new table as stored for each statement execute function queue_messages();

insert into message_queues (user_id, channel, push_subscription_id, tenant, turn_at)
  select user_id, channel, push_subscription_id, coalesce(users.organization_id, -users.id), min(due_at)
  from notifications join users on users.id = user_id
  where channel <> 'mail' and state in ('waiting', 'sending')
  group by user_id, channel, push_subscription_id, users.id;
