-- The kind of the error, which pages have in the reader's language; null without an error, and of older messages.
alter table webhook_deliveries add column failure text
  check (failure in ('not_public', 'timeout', 'certificate', 'connection', 'refused'));
