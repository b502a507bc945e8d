-- Since when hardware has not answered the device, as it reported last; null while all of it answers.
alter table devices add column hardware_silent_since timestamptz;
