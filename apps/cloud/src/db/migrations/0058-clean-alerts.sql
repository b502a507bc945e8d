-- Texts of alerts that were stored before they were cleaned at the intake, as `cleanLine` has them.
create function clean_alert_text(value text) returns text language sql immutable as $$
  select btrim(regexp_replace(regexp_replace(
    regexp_replace(value, '[\t\v\f\r\n\u2028\u2029]+', ' ', 'g'),
    '(?!(?<=[^\s\u0001-\u007f])[\u200c\u200d](?=[^\s\u0001-\u007f]))[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]',
    '', 'g'), '\s+', ' ', 'g'))
$$;

create temporary table unclean_alerts on commit drop as
  select id, site_id, raised_at, clean_alert_text(rule) as rule, clean_alert_text(kind) as kind,
    clean_alert_text(topic) as topic, clean_alert_text(name) as name, clean_alert_text(detail) as detail,
    clean_alert_text(unit) as unit, clean_alert_text(text) as text, clean_alert_text(acknowledged_by) as acknowledged_by,
    case when jsonb_typeof(value) = 'string' then to_jsonb(clean_alert_text(value #>> '{}')) else value end as value
  from alerts
  where concat_ws(' ', rule, kind, topic, name, detail, unit, text, acknowledged_by, value #>> '{}')
    ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]';

-- The device has sent it again since, or another one reads the same: the newest stays.
delete from alerts using unclean_alerts as unclean
  where alerts.id = unclean.id and (
    exists (select from alerts as same where same.id <> unclean.id and same.site_id = unclean.site_id
      and same.raised_at = unclean.raised_at and same.rule = unclean.rule
      and coalesce(same.topic, '') = coalesce(unclean.topic, '') and coalesce(same.detail, '') = coalesce(unclean.detail, ''))
    or exists (select from unclean_alerts as newer where newer.id > unclean.id and newer.site_id = unclean.site_id
      and newer.raised_at = unclean.raised_at and newer.rule = unclean.rule
      and coalesce(newer.topic, '') = coalesce(unclean.topic, '') and coalesce(newer.detail, '') = coalesce(unclean.detail, '')));

update alerts set rule = unclean.rule, kind = unclean.kind, topic = unclean.topic, name = unclean.name,
    detail = unclean.detail, unit = unclean.unit, text = unclean.text, acknowledged_by = unclean.acknowledged_by,
    value = unclean.value
  from unclean_alerts as unclean where alerts.id = unclean.id;

drop function clean_alert_text(text);
