-- Texts that were stored before they were looked at lose what is not seen and changes how others are shown, as
-- packages/contracts/src/plain-text.ts has it. Joiners stay: answers leave out those that join nothing.
create function clean_lines(given text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(given, '\r\n?|[\u2028\u2029]', E'\n', 'g'),
    '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]',
    '', 'g')
$$;
create function clean_line(given text) returns text language sql immutable as $$
  select btrim(regexp_replace(clean_lines(regexp_replace(given, '\s+', ' ', 'g')), ' +', ' ', 'g'))
$$;
-- What has none of it is left as it is, spaces and all.
create function is_unclean(given text, allowed_breaks boolean) returns boolean language sql immutable as $$
  select given ~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    or (not allowed_breaks and given ~ '\n')
$$;

update users set first_name = clean_line(first_name), last_name = clean_line(last_name)
  where is_unclean(first_name, false) or is_unclean(last_name, false);
update users set phone_number = nullif(clean_line(phone_number), '') where is_unclean(phone_number, false);
-- No two organizations have one name, and none is without.
update organizations o set name = case
    when clean_line(o.name) = '' or exists (
      select from organizations other
        where other.id <> o.id and lower(clean_line(other.name)) = lower(clean_line(o.name)))
    then btrim(left(clean_line(o.name), 240) || ' ' || o.id)
    else clean_line(o.name) end
  where is_unclean(o.name, false);
update sites set description = nullif(clean_lines(description), '') where is_unclean(description, true);
update tokens set name = coalesce(nullif(clean_line(name), ''), 'Token ' || id) where is_unclean(name, false);
update oauth_clients set name = coalesce(nullif(clean_line(name), ''), client_id) where is_unclean(name, false);
update activation_requests set message = clean_lines(message) where is_unclean(message, true);

update devices set
    arch = nullif(clean_line(arch), ''),
    board = nullif(clean_line(board), ''),
    version = nullif(clean_line(version), ''),
    inverter = nullif(clean_line(inverter), ''),
    battery = nullif(clean_line(battery), '')
  where is_unclean(concat_ws(' ', arch, board, version, inverter, battery), false);
-- An address is an IP address, of IPv6 in brackets, with a port where that is not 80.
update devices set local_ip = null
  where local_ip !~ '^(((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$';

drop function is_unclean(text, boolean);
drop function clean_line(text);
drop function clean_lines(text);
