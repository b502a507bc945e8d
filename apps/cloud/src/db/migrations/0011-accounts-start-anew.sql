-- Whoever registers an address chooses a password before the address is confirmed. What others gave to such an
-- account, they gave to whoever reads the mails of the address: it starts anew, with a link in a mail.
with started_anew as (
  update users set password_hash = null, phone_number = null
  where confirmed_at is null and password_hash is not null and (
    staff
    or exists (select from site_members where user_id = users.id)
    or exists (select from sites where owner_id = users.id)
    or exists (select from organization_members where user_id = users.id))
  returning id
)
update one_time_tokens set spent_at = now()
where purpose in ('confirm', 'pending') and spent_at is null and user_id in (select id from started_anew);
