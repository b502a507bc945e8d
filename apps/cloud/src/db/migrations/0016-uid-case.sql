-- Requests are read with uids in lower case, as keys give them. One that was provisioned otherwise is no device's: it gets
-- the form in which its device will call, unless there is a device of that uid.
create temporary table respelled on commit drop as
  select min(uid) as uid from devices group by lower(uid) having count(*) = 1 and min(uid) <> lower(min(uid));
create temporary table kept_requests on commit drop as
  select * from activation_requests where uid in (select uid from respelled);
delete from activation_requests where uid in (select uid from respelled);
update devices set uid = lower(uid) where uid in (select uid from respelled);
insert into activation_requests (uid, user_id, organization_id, message, requested_at)
  select lower(uid), user_id, organization_id, message, requested_at from kept_requests;
