-- The secret of a webhook was sealed with a CLOUD_SECRET that this cloud does not have.
alter table webhook_deliveries
  drop constraint webhook_deliveries_failure_check,
  add constraint webhook_deliveries_failure_check
    check (failure in ('not_public', 'timeout', 'certificate', 'connection', 'refused', 'secret'));
