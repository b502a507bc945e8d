import type { Locale, MessageRecipient, NotificationChannel } from '@heliograph/contracts';
import { ALERT_SEVERITIES, DELIVERED_RULES, MAX_LIMIT } from '@heliograph/contracts';
import { personName } from '@heliograph/kit/person-name';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

interface Row extends Omit<MessageRecipient, 'name' | 'team_severity' | 'muted_rules'> {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string;
  readonly team_severity: number | null;
  readonly channels: NotificationChannel[];
  /** Rules of owners among them, which are named by their homes. */
  readonly muted_rules: string[];
}

/** The employees of an organization, with what reaches each of its alerts and outages. */
export async function messageRecipients(
  db: Database,
  organizationId: number,
  locale: Locale,
): Promise<MessageRecipient[]> {
  const { rows } = await sql<Row>`
    select users.id as user_id, users.first_name, users.last_name, users.email, settings.team_severity,
      coalesce(settings.team_tags, '{}') as team_tags, settings.escalation_minutes,
      coalesce(settings.muted_rules, '{}') as muted_rules,
      case when cardinality(settings.site_ids) > 0 then (
        select count(*)::integer from sites where sites.id = any(settings.site_ids)
          and (sites.organization_id = employees.organization_id or exists (select from organization_sites as shared
            where shared.site_id = sites.id and shared.organization_id = employees.organization_id))
      ) end as chosen_sites,
      employees.role in ('owner', 'admin') and coalesce(settings.outages, true) as outages,
      array_remove(array[
        case when coalesce(settings.mail, true) then 'mail' end,
        case when exists (select from push_subscriptions where push_subscriptions.user_id = users.id) then 'push' end,
        case when settings.sealed_ntfy is not null then 'ntfy' end,
        case when settings.sealed_telegram is not null then 'telegram' end], null) as channels
    from organization_members as employees
    join users on users.id = employees.user_id and users.confirmed_at is not null
    left join notification_settings as settings on settings.user_id = users.id
    where employees.organization_id = ${organizationId}
    order by concat_ws(' ', users.first_name, users.last_name, users.email) collate natural_order, users.id limit ${MAX_LIMIT}`.execute(
    db,
  );
  return rows.map(
    ({ first_name, last_name, email, team_severity: severity, muted_rules: muted, ...recipient }) => ({
      ...recipient,
      muted_rules: DELIVERED_RULES.filter((rule) => muted.includes(rule)),
      name: personName({ email, first_name: first_name ?? '', last_name: last_name ?? '' }, locale),
      team_severity: severity === null ? null : (ALERT_SEVERITIES[severity - 1] ?? null),
    }),
  );
}
