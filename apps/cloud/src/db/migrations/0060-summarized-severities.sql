-- An alert that became more severe since a summary counted it is a message of its own.
alter table summarized_alerts add column severity smallint;
update summarized_alerts set severity = alerts.severity from alerts where alerts.id = summarized_alerts.alert_id;
alter table summarized_alerts alter column severity set not null;
