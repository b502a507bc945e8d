import {
  type AlertAssignee,
  type Locale,
  MAX_LIMIT,
  type OfflineAlert,
  type SiteAlert,
  type SiteAlertsQuery,
} from '@heliograph/contracts';
import { NotFound, ValidationError } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import { type AliasedExpression, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireAnyScope } from '../../access/caller.ts';
import { type SiteRelation, sitePermissions } from '../../access/site-permissions.ts';
import { relationOf, visibleTo } from '../../access/visible-sites.ts';
import { recordAudit } from '../../db/audit.ts';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { hasNotAccepted } from '../../db/site-invitations.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { storeAssignment } from '../notifications/intake.ts';
import { alertEvent } from './alert-events.ts';
import { ALERT_FIELDS, type ListedAlert, presentAlert, severityNumber } from './alert-records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Longest snooze. */
const MAX_SNOOZED_MS = 90 * DAY_MS;

/** Of all sites that the caller reads. @throws Forbidden */
export async function listAlerts(
  { db }: Platform,
  caller: Caller,
  { query }: InputOf<'listAlerts'>,
): Promise<SiteAlert[]> {
  requireAnyScope(caller, ['sites:read_all', 'sites:read_single']);
  return selectOf(db, caller, sql`${visibleTo(caller)}`, query);
}

export function listSiteAlerts(
  { db }: Platform,
  caller: Caller,
  { site: { id }, query }: InputOf<'listSiteAlerts'>,
): Promise<SiteAlert[]> {
  return selectOf(db, caller, sql`sites.id = ${id}`, query);
}

/** @throws NotFound without such an alert of the site; ValidationError */
export async function changeSiteAlert(
  { db, clock }: Platform,
  caller: Caller,
  { site: { id: siteId, organizationId }, params: { alert_id: alertId }, body }: InputOf<'changeSiteAlert'>,
): Promise<SiteAlert> {
  const nowMs = clock.now();
  const at = new Date(nowMs);
  const changed = await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('alerts')
      .select(['acknowledged_at as acknowledgedAt', 'assignee_id as assigneeId'])
      .where('id', '=', String(alertId))
      .where('site_id', '=', siteId)
      // Messages about it may be stored meanwhile.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (before === undefined) throw new NotFound(`There is no alert ${alertId}`);
    const { acknowledged, snoozed_until: snoozedUntil, assignee_id: assigneeId, note } = body;
    if (snoozedUntil !== undefined) requireSnooze(snoozedUntil, nowMs);
    const newAssigneeId = assigneeId === before.assigneeId ? null : (assigneeId ?? null);
    if (newAssigneeId !== null) await requireAssignee(tx, caller, siteId, newAssigneeId);
    const isAcknowledgement = acknowledged === true && before.acknowledgedAt === null;
    await tx
      .updateTable('alerts')
      .set({
        ...(isAcknowledgement && {
          acknowledged_at: at,
          acknowledged_by: await nameOf(tx, caller.userId),
          acknowledged_by_id: caller.userId,
        }),
        ...(acknowledged === false && {
          acknowledged_at: null,
          acknowledged_by: null,
          acknowledged_by_id: null,
        }),
        ...(snoozedUntil !== undefined && {
          snoozed_until: snoozedUntil === null ? null : new Date(snoozedUntil),
        }),
        ...(assigneeId !== undefined && { assignee_id: assigneeId }),
        ...(note !== undefined && { note: note === null || note.trim() === '' ? null : note.trim() }),
        site_id: siteId,
      })
      .where('id', '=', String(alertId))
      .execute();
    if (newAssigneeId !== null && newAssigneeId !== caller.userId)
      await storeAssignment(tx, { alertId, userId: newAssigneeId }, at);
    const alert = await find(tx, alertId);
    if (isAcknowledgement)
      await appendEvents(tx, [alertEvent('alert.acknowledged', alert, { at, organizationId })]);
    return alert;
  });
  return presentAlert(changed, true, caller.locale);
}

/** The people to choose from when the caller assigns an alert. */
export async function listAlertAssignees(
  { db }: Platform,
  caller: Caller,
  { site: { id: siteId } }: InputOf<'listAlertAssignees'>,
): Promise<AlertAssignee[]> {
  const { rows } = await sql<{
    id: number;
    first_name: string | null;
    last_name: string | null;
    email: string;
  }>`select users.id, users.first_name, users.last_name, users.email from users join sites on sites.id = ${siteId}
    where ${isAssignee(caller)}
    order by concat_ws(' ', users.first_name, users.last_name, users.email) collate natural_order, users.id limit ${MAX_LIMIT}`.execute(
    db,
  );
  return rows.map((user) => ({ id: user.id, name: nameFrom(user, caller.locale) }));
}

export function getOfflineAlert(
  { db }: Platform,
  _caller: Caller,
  { site: { id: siteId } }: InputOf<'getOfflineAlert'>,
): Promise<OfflineAlert> {
  return db
    .selectFrom('sites')
    .select('offline_minutes as minutes')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
}

export async function setOfflineAlert(
  { db, clock }: Platform,
  caller: Caller,
  { site: { id: siteId }, body: { minutes } }: InputOf<'setOfflineAlert'>,
): Promise<OfflineAlert> {
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('sites')
      .select(['offline_minutes as minutes', 'organization_id as organizationId'])
      .where('id', '=', siteId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (before.minutes === minutes) return;
    await tx.updateTable('sites').set({ offline_minutes: minutes }).where('id', '=', siteId).execute();
    await recordAudit(tx, actorOf(caller), new Date(clock.now()), {
      action: 'site.offline_alert_changed',
      organizationId: before.organizationId,
      siteId,
      details: { from: describeMinutes(before.minutes), to: describeMinutes(minutes) },
    });
  });
  return { minutes };
}

async function selectOf(
  db: Database,
  caller: Caller,
  ofSites: RawBuilder<SqlBool>,
  query: SiteAlertsQuery,
): Promise<SiteAlert[]> {
  const { offset, limit } = pageFrom(query);
  const { open, severity, tag } = query;
  const conditions = [
    ofSites,
    ...(open === '1' ? [sql<SqlBool>`alerts.cleared_at is null`] : []),
    ...(severity === undefined ? [] : [sql<SqlBool>`alerts.severity = ${severityNumber(severity)}`]),
    ...(tag === undefined
      ? []
      : [sql<SqlBool>`sites.tags <> '{}' and folded_all(sites.tags) @> array[folded(${tag})]`]),
  ];
  const { rows } = await sql<
    ListedAlert & Omit<SiteRelation, 'id'>
  >`${selectAlerts([sql`sites.organization_id as "organizationId"`, ...relationOf(caller)])}
    where ${sql.join(conditions, sql` and `)}
    order by alerts.cleared_at is not null,
      case when alerts.cleared_at is null then alerts.severity else 0 end desc, alerts.raised_at desc, alerts.id desc
    offset ${offset} limit ${limit}`.execute(db);
  return rows.map((alert) =>
    presentAlert(alert, sitePermissions(caller, { ...alert, id: alert.siteId }).has('manage'), caller.locale),
  );
}

function selectAlerts(
  columns: readonly (Expression<unknown> | AliasedExpression<unknown, string>)[] = [],
): RawBuilder<unknown> {
  const assignee = sql`assignees.first_name as "assigneeFirstName", assignees.last_name as "assigneeLastName",
    assignees.email as "assigneeEmail"`;
  return sql`select ${sql.join([ALERT_FIELDS, sql`sites.name as "siteName"`, assignee, ...columns])}
    from alerts join sites on sites.id = alerts.site_id left join users as assignees on assignees.id = alerts.assignee_id`;
}

async function find(tx: Database, alertId: number): Promise<ListedAlert> {
  const { rows } = await sql<ListedAlert>`${selectAlerts()} where alerts.id = ${alertId}`.execute(tx);
  return rows[0] as ListedAlert;
}

/** @throws ValidationError */
function requireSnooze(until: string | null, nowMs: number): void {
  if (until === null) return;
  const untilMs = Date.parse(until);
  if (untilMs <= nowMs) throw new ValidationError({ snoozed_until: ['must be in the future'] });
  if (untilMs > nowMs + MAX_SNOOZED_MS)
    throw new ValidationError({ snoozed_until: ['must be within 90 days'] });
}

/** Whether one of `users` can be assigned alerts of one of `sites`, which it has accepted: by the household one of the household, as employees are not its to know. */
function isAssignee(caller: Caller): RawBuilder<SqlBool> {
  return sql`((not ${hasNotAccepted(sql`users.id`)} and (users.id = sites.owner_id
      or exists (select from site_members as members where members.site_id = sites.id and members.user_id = users.id)))
    or exists (select from organization_members as employees
      where employees.organization_id = sites.organization_id and employees.user_id = users.id
        and (${caller.staff} or exists (select from organization_members as colleagues
          where colleagues.organization_id = sites.organization_id and colleagues.user_id = ${caller.userId}))))`;
}

/** @throws ValidationError for an account that is not among {@link listAlertAssignees} */
async function requireAssignee(tx: Database, caller: Caller, siteId: number, userId: number): Promise<void> {
  const { rows } = await sql`select from users join sites on sites.id = ${siteId}
    where users.id = ${userId} and ${isAssignee(caller)}`.execute(tx);
  if (rows.length === 0)
    throw new ValidationError({ assignee_id: ['must be the account of someone who sees the site'] });
}

async function nameOf(tx: Database, userId: number): Promise<string> {
  const user = await tx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return nameFrom(user, user.locale);
}

function nameFrom(
  user: {
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly email: string;
  },
  locale: Locale,
): string {
  const { first_name: first, last_name: last, email } = user;
  return personName({ email, first_name: first ?? '', last_name: last ?? '' }, locale);
}

/** As audit entries have it. */
function describeMinutes(minutes: number | null): string {
  return minutes === null ? '' : `${minutes} min`;
}
