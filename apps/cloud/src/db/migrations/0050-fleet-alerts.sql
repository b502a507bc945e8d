-- Sites with an open alert of a severity, the newest first.
create index alerts_open_by_severity on alerts (severity, site_id desc) where cleared_at is null;

-- Sites without a device are among these.
create index sites_without_device_words on sites (id desc) where device_words = '';
