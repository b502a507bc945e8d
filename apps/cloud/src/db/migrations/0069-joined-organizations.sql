-- Accounts without an organization that joined one: it was stored as the organization that they registered with, in whose name
-- their sites and tickets are made. The consent, which the log has, does not name these. No such account was in
-- organization_customers.
with joined as (
  update users set organization_id = null
    from (select user_id, organization_id, max(at) as at from audit_events
      where action = 'account.changed' and details -> 'customer_of' -> 'to' <> 'null'
      group by user_id, organization_id) as consents
    where users.id = consents.user_id and users.organization_id = consents.organization_id
      and not exists (select from audit_events as leaving
        where leaving.user_id = users.id and leaving.organization_id = consents.organization_id and leaving.at >= consents.at
          and leaving.action = 'account.changed' and leaving.details -> 'customer_of' -> 'to' = 'null')
      and not exists (select from organization_customers as customers
        where customers.user_id = users.id and customers.organization_id = consents.organization_id)
    returning users.id, consents.organization_id, consents.at
)
insert into organization_customers (organization_id, user_id, created_at) select organization_id, id, at from joined;
