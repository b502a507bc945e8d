import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inTagOrder } from '../../common/tag-order.ts';
import { presentDay, presentDayEnergy } from '../../sites/history/present.ts';
import { SITE_COLUMNS } from '../../sites/sites/present.ts';
import { manages, recoverySections, tookPart } from './recovery-sections.ts';
import { type ExportSection, section } from './section.ts';

const LOCATION: readonly string[] = ['latitude', 'longitude'];
const OF_SITE = sql.join(SITE_COLUMNS.map((column) => sql.ref(`sites.${column}`)));
/** The location of a home is for those who manage it, as in `presentSummary`. */
const OF_SITE_FOR = (userId: number) =>
  sql.join(
    SITE_COLUMNS.map((column) =>
      LOCATION.includes(column)
        ? sql`case when sites.owner_id = ${userId} or members.role = 'admin' then ${sql.ref(`sites.${column}`)} end
          as ${sql.ref(column)}`
        : sql.ref(`sites.${column}`),
    ),
  );

const orderTags =
  (column: 'tags' | 'team_tags'): ExportSection['present'] =>
  (row) => ({ ...row, [column]: inTagOrder(row[column] as string[]) });

/** All that the service has about an account. */
export function sectionsOfAccount(userId: number): readonly ExportSection[] {
  return [
    section(
      'account',
      sql`select id, email, first_name, last_name, phone_number, locale, created_at, confirmed_at, terms_accepted_at,
        second_factor_at, site_views, organization_id as customer_of_organization_id from users where id = ${userId}`,
    ),
    section('email_changes', sql`select email, expires_at from email_changes where user_id = ${userId}`),
    section(
      'account_deletion',
      sql`select requested_at, due_at from account_deletions where user_id = ${userId}`,
    ),
    section(
      'exports',
      sql`select id, site_id, requested_at, ready_at, expires_at, size, csv_locale from data_exports
        where user_id = ${userId} order by id`,
    ),
    section(
      'sites',
      sql`select ${OF_SITE_FOR(userId)}, sites.created_at,
        case when sites.owner_id = ${userId} then 'owner' else members.role end as role
        from sites left join site_members as members on members.site_id = sites.id and members.user_id = ${userId}
        where sites.owner_id = ${userId} or members.user_id is not null order by sites.id`,
      orderTags('tags'),
    ),
    ...historySections(sql`sites.owner_id = ${userId}`, presentDayEnergy),
    section(
      'organizations',
      sql`select organizations.id, organizations.name, members.role, members.created_at
        from organization_members as members join organizations on organizations.id = members.organization_id
        where members.user_id = ${userId} order by organizations.id`,
    ),
    section(
      'customer_of',
      sql`select organizations.id, organizations.name, customers.created_at
        from organization_customers as customers join organizations on organizations.id = customers.organization_id
        where customers.user_id = ${userId} order by organizations.id`,
    ),
    section(
      'invitations',
      sql`select organizations.name as organization, role, invitations.first_name, invitations.last_name,
        invitations.created_at, invitations.expires_at from employment_invitations as invitations
        join organizations on organizations.id = invitations.organization_id
        where invitations.user_id = ${userId} order by invitations.created_at`,
    ),
    section(
      'site_invitations',
      sql`select site_id, email, first_name, last_name, created_at from site_invitations
        where user_id = ${userId} order by created_at, site_id`,
    ),
    section(
      'site_transfers',
      sql`select site_id, former_owner_id = ${userId} as is_former_owner, former_role, site_transfers.created_at,
          ends_at
        from site_transfers join sites on sites.id = site_transfers.site_id
        where former_owner_id = ${userId} or sites.owner_id = ${userId} order by site_id`,
    ),
    section(
      'tokens',
      sql`select id, kind, name, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address
        from tokens where user_id = ${userId} order by id`,
    ),
    section(
      'connections',
      sql`select client_name as application, scopes, site_id, created_at, expires_at, revoked_at from oauth_grants
        where user_id = ${userId} order by created_at`,
    ),
    section(
      'webhooks',
      sql`select id, name, url, types, limited_to_organization_id, enabled, created_at, last_delivered_at from webhooks
        where user_id = ${userId} order by id`,
    ),
    section(
      'notification_settings',
      sql`select severity, team_severity, team_tags, escalation_minutes, muted_rules, site_ids, cleared, outages, mail, digest,
        quiet_from, quiet_until, time_zone,
        sealed_ntfy is not null as ntfy, sealed_telegram is not null as telegram
        from notification_settings where user_id = ${userId}`,
      orderTags('team_tags'),
    ),
    section(
      'push_subscriptions',
      sql`select id, label, created_at from push_subscriptions where user_id = ${userId} order by id`,
    ),
    section(
      'notifications',
      sql`select id, channel, kind, state, alert_id, outage_id, further_alerts, site_id, created_at, due_at, sent_at, failure
        from notifications where user_id = ${userId} order by id`,
    ),
    section(
      'passkeys',
      sql`select id, name, created_at, last_used_at from passkeys where user_id = ${userId} order by id`,
    ),
    section(
      'networks',
      sql`select address, seen_at from known_addresses where user_id = ${userId} order by seen_at desc`,
    ),
    section(
      'activation_requests',
      sql`select uid, message, requested_at from activation_requests where user_id = ${userId} order by requested_at`,
    ),
    section(
      'orders',
      sql`select id, number, state, payment_state, currency, subtotal::float8, shipping::float8, tax::float8,
        total::float8, paid::float8, refunded::float8, email,
        first_name, last_name, billing_address, shipping_address, note, created_at, paid_at, completed_at, cancelled_at
        from orders where user_id = ${userId} order by id`,
    ),
    section(
      'order_items',
      sql`select items.order_id, items.sku, items.name, items.quantity, items.unit_price::float8, items.tax::float8,
        items.total::float8,
        items.device_uid from order_items as items join orders on orders.id = items.order_id
        where orders.user_id = ${userId} order by items.id`,
    ),
    section(
      'order_payments',
      sql`select payments.order_id, payments.amount::float8, payments.currency, payments.refunded::float8, payments.method,
        payments.provider, payments.reference, payments.paid_at from order_payments as payments
        join orders on orders.id = payments.order_id where orders.user_id = ${userId} order by payments.id`,
    ),
    section(
      'order_shipments',
      sql`select parcels.order_id, parcels.carrier, parcels.tracking_number, parcels.shipped_at
        from order_shipments as parcels join orders on orders.id = parcels.order_id
        where orders.user_id = ${userId} order by parcels.id`,
    ),
    section(
      'tickets',
      sql`select id, subject, state, category, priority, site_id, order_id, created_at, updated_at, resolved_at,
        closed_at from tickets where requester_id = ${userId} order by id`,
    ),
    // Notes of support are about the work; those of the person are the person's.
    section(
      'ticket_messages',
      sql`select messages.id, messages.ticket_id, messages.side, messages.author_id = ${userId} as is_own, messages.body,
        messages.created_at from ticket_messages as messages join tickets on tickets.id = messages.ticket_id
        where (tickets.requester_id = ${userId} and not messages.internal) or messages.author_id = ${userId}
        order by messages.id`,
    ),
    section(
      'ticket_attachments',
      sql`select id, message_id, name, content_type, size, sha256, created_at from ticket_attachments
        where owner_id = ${userId} order by id`,
    ),
    ...recoverySections(sql`(${manages(userId)} or ${tookPart(userId)})`, manages(userId), userId),
    // Of another's doing there is neither who it was nor from where.
    section(
      'log',
      sql`select at, action, via, actor_id is not distinct from ${userId} as is_own,
        case when actor_id = ${userId} then address end as address, site_id, organization_id, device_uid,
        case when action like 'account.%' then details end as details from audit_events
        where user_id = ${userId} or actor_id = ${userId} order by id`,
    ),
  ];
}

/** All that the service has about a site. Live values are on its device, and the whole history. */
export function sectionsOfSite(siteId: number): readonly ExportSection[] {
  return [
    section(
      'site',
      sql`select ${OF_SITE}, organization_id, created_at from sites where id = ${siteId}`,
      orderTags('tags'),
    ),
    section(
      'members',
      // Of those who have not accepted only what the inviter entered.
      sql`select users.id, coalesce(invitations.email, users.email) as email,
        coalesce(invitations.first_name, users.first_name) as first_name,
        coalesce(invitations.last_name, users.last_name) as last_name, people.role,
        invitations.user_id is null as accepted
        from (select owner_id as user_id, 'owner' as role, 0 as rank from sites where id = ${siteId}
          union all select user_id, role, 1 from site_members where site_id = ${siteId}) as people
        join users on users.id = people.user_id left join site_invitations as invitations
          on invitations.site_id = ${siteId} and invitations.user_id = people.user_id
        order by people.rank, users.id`,
    ),
    section(
      'devices',
      sql`select uid, enrolled_at, activated_at, arch, board, beta, version, build_date, local_ip, public_ip, inverter,
        inverter_count, inverter_params, battery, battery_count, battery_params, last_seen_at from devices
        where site_id = ${siteId} order by uid`,
    ),
    ...historySections(sql`sites.id = ${siteId}`, presentDay),
    section(
      'organizations',
      sql`select organizations.id, organizations.name, shares.created_at from organization_sites as shares
        join organizations on organizations.id = shares.organization_id where shares.site_id = ${siteId}`,
    ),
    section(
      'connections',
      sql`select client_name as application, scopes, user_id, created_at, expires_at, revoked_at from oauth_grants
        where site_id = ${siteId} order by created_at`,
    ),
    section(
      'alerts',
      sql`select rule, kind, severity, topic, name, detail, value, limit_value, unit, since, raised_at, last_at,
        cleared_at, acknowledged_at, acknowledged_by, times, text, snoozed_until, assignee_id, note from alerts
        where site_id = ${siteId} order by id`,
    ),
    section(
      'events',
      sql`select at, type, user_id, data from events where site_id = ${siteId} order by transaction, id`,
    ),
    ...recoverySections(sql`recovery_sessions.site_id = ${siteId}`, sql`true`, null),
    section(
      'log',
      sql`select events.at, events.action, events.via, events.actor_id, actors.email as actor, events.address,
        events.user_id, events.device_uid, events.details from audit_events as events
        left join users as actors on actors.id = events.actor_id where events.site_id = ${siteId} order by events.id`,
    ),
  ];
}

/** The history of sites that the cloud keeps, where their owners agreed. */
function historySections(
  ofSite: RawBuilder<SqlBool>,
  present: ExportSection['present'],
): readonly ExportSection[] {
  return [
    section(
      'history_consents',
      sql`select consents.site_id, consents.agreed, consents.decided_at from site_history_consents as consents
        join sites on sites.id = consents.site_id where ${ofSite} order by consents.site_id`,
    ),
    section(
      'newest_values',
      sql`select newest.site_id, newest.at, newest.day::text, newest.pv_power, newest.load_power, newest.grid_power,
        newest.battery_power, newest.state_of_charge, newest.pv, newest.load, newest.battery_in, newest.battery_out,
        newest.grid_in, newest.grid_out from site_newest_values as newest
        join sites on sites.id = newest.site_id where ${ofSite} order by newest.site_id`,
    ),
    section(
      'history_days',
      sql`select days.site_id, days.day::text, parts.time_zone, parts.data from site_history_days as days
        join sites on sites.id = days.site_id
        cross join lateral unnest(rest_time_zones || days.time_zone, rests || days.data)
          with ordinality as parts (time_zone, data, nth)
        where ${ofSite} order by days.site_id, days.day, parts.nth`,
      present,
    ),
  ];
}
