-- The session or the pending sign-in that received the secret: it alone receives the same secret again, until a code confirms
-- the app.
alter table authenticator_apps add column started_by text;
