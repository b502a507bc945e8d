-- Accounts with messages by push, ntfy and Telegram, which are sent in turn: one message of each account at a time.
create table message_queues (
  user_id integer primary key references users on delete cascade,
  -- When one of its messages may be due, no later than the first is; null while none waits.
  turn_at timestamptz,
  -- Whether its last attempt failed. Such accounts share a part of the connections.
  failing boolean not null default false
);
create index message_queues_turn on message_queues (failing, turn_at) where turn_at is not null;

alter table notifications
  -- 1 information, 2 warning, 3 critical: the more urgent messages of an account leave first.
  add column urgency smallint not null default 3 check (urgency between 1 and 3);
create index notifications_turn on notifications (user_id, urgency, due_at)
  where state in ('waiting', 'sending') and channel <> 'mail';
create index notifications_mails on notifications (due_at) where state = 'waiting' and channel = 'mail';

create function queue_messages() returns trigger language plpgsql as $$
begin
  insert into message_queues (user_id, turn_at)
    select user_id, min(due_at) from stored where channel <> 'mail' and state in ('waiting', 'sending')
    group by user_id order by user_id
  on conflict (user_id) do update set turn_at = least(message_queues.turn_at, excluded.turn_at);
  return null;
end $$;
create trigger notifications_queue after insert on notifications
  referencing new table as stored for each statement execute function queue_messages();

insert into message_queues (user_id, turn_at)
  select user_id, min(due_at) from notifications where channel <> 'mail' and state in ('waiting', 'sending')
  group by user_id;

-- The end of a claim stood in the place of the time at which a message was due.
update notifications set due_at = sent_at where due_at > sent_at;
