-- Counted at each turn of an account.
create index notifications_underway on notifications (user_id) where state = 'sending' and channel <> 'mail';
