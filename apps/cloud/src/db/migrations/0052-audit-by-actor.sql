-- What an account did, the newest first.
create index audit_events_by_actor on audit_events (actor_id, id) where actor_id is not null;
