-- When a handover that was not accepted is final, and when the former owner was mailed that this comes. Those that wait are
-- given their whole time from now on.
alter table site_transfers
  add column ends_at timestamptz not null default now() + interval '30 days',
  add column reminded_at timestamptz;
create index site_transfers_ends_at on site_transfers (ends_at);
