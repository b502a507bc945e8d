import { MAX_ID, type SiteAlert, type SiteAlertChange, type SiteAlertsQuery } from '@heliograph/contracts';
import { type Clock, NotFound, ValidationError } from '@heliograph/kit';
import { fullName } from '@heliograph/kit/person-name';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Caller, requireAnyScope } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { alertEvent } from './alert-events.ts';
import { ALERT_FIELDS, type ListedAlert, presentAlert, severityNumber } from './alert-records.ts';

export { hasOpenAlert, newestWithOpenAlert, openAlertsOfSite, worstOpenSeverity } from './open-alerts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Longest snooze. */
const MOST_SNOOZED_MS = 90 * DAY_MS;

export interface SiteAlertServiceOptions {
  readonly db: Database;
  readonly access: SiteAccess;
  readonly clock: Clock;
}

/** The alerts of sites, for their people. */
export class SiteAlertService {
  readonly #options: SiteAlertServiceOptions;

  constructor(options: SiteAlertServiceOptions) {
    this.#options = options;
  }

  /** Of all sites that the caller reads. @throws Forbidden */
  async list(caller: Caller, query: SiteAlertsQuery): Promise<SiteAlert[]> {
    requireAnyScope(caller, ['sites:read_all', 'sites:read_single']);
    return this.#list(sql`${visibleTo(caller)}`, query);
  }

  /** @throws NotFound; Forbidden */
  async ofSite(caller: Caller, siteId: number, query: SiteAlertsQuery): Promise<SiteAlert[]> {
    await this.#options.access.require(caller, siteId, 'read');
    return this.#list(sql`sites.id = ${siteId}`, query);
  }

  /** @throws NotFound; Forbidden; ValidationError */
  async change(caller: Caller, siteId: number, alertId: number, body: SiteAlertChange): Promise<SiteAlert> {
    const { db, access, clock } = this.#options;
    const { organizationId } = await access.require(caller, siteId, 'manage');
    const nowMs = clock.now();
    const at = new Date(nowMs);
    await db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom('alerts')
        .select(['acknowledged_at as acknowledgedAt', 'cleared_at as clearedAt'])
        .where('id', '=', String(alertId))
        .where('site_id', '=', siteId)
        .forUpdate()
        .executeTakeFirst();
      if (before === undefined) throw new NotFound(`There is no alert ${alertId}`);
      const { acknowledged, snoozed_until: snoozedUntil, assignee_id: assigneeId, note } = body;
      if (snoozedUntil !== undefined) requireSnooze(snoozedUntil, nowMs);
      if (assigneeId !== undefined && assigneeId !== null) await requireAssignee(tx, siteId, assigneeId);
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
      if (!isAcknowledgement) return;
      const alert = await this.#find(tx, siteId, alertId);
      await appendEvents(tx, [alertEvent('alert.acknowledged', alert, { at, organizationId })]);
    });
    return presentAlert(await this.#find(db, siteId, alertId));
  }

  async #find(db: Database, siteId: number, alertId: number): Promise<ListedAlert> {
    const { rows } = await sql<ListedAlert>`${LISTED}
      where alerts.site_id = ${siteId} and alerts.id = ${alertId}`.execute(db);
    const [alert] = rows;
    if (alert === undefined) throw new NotFound(`There is no alert ${alertId}`);
    return alert;
  }

  async #list(ofSites: RawBuilder<SqlBool>, query: SiteAlertsQuery): Promise<SiteAlert[]> {
    const { offset, limit } = pageFrom(query);
    const { open, severity, tag } = query;
    const conditions = [
      ofSites,
      ...(open === '1' ? [sql<SqlBool>`alerts.cleared_at is null`] : []),
      ...(severity === undefined ? [] : [sql<SqlBool>`alerts.severity = ${severityNumber(severity)}`]),
      ...(tag === undefined
        ? []
        : [sql<SqlBool>`sites.tags <> '{}' and lower_all(sites.tags) @> array[lower(${tag})]`]),
    ];
    const { rows } = await sql<ListedAlert>`${LISTED} where ${sql.join(conditions, sql` and `)}
      order by alerts.cleared_at is not null,
        case when alerts.cleared_at is null then alerts.severity else 0 end desc, alerts.raised_at desc, alerts.id desc
      offset ${offset} limit ${limit}`.execute(this.#options.db);
    return rows.map(presentAlert);
  }
}

const LISTED = sql`select ${ALERT_FIELDS}, sites.name as "siteName", assignees.first_name as "assigneeFirstName",
  assignees.last_name as "assigneeLastName", assignees.email as "assigneeEmail"
  from alerts join sites on sites.id = alerts.site_id left join users as assignees on assignees.id = alerts.assignee_id`;

/** @throws ValidationError */
function requireSnooze(until: string | null, nowMs: number): void {
  if (until === null) return;
  const untilMs = Date.parse(until);
  if (untilMs <= nowMs) throw new ValidationError({ snoozed_until: ['must be in the future'] });
  if (untilMs > nowMs + MOST_SNOOZED_MS)
    throw new ValidationError({ snoozed_until: ['must be within 90 days'] });
}

/** @throws ValidationError for an account that does not see the site */
async function requireAssignee(tx: Database, siteId: number, userId: number): Promise<void> {
  const { rows } =
    await sql`select from sites where sites.id = ${siteId} and ${userId}::bigint <= ${MAX_ID} and (
    sites.owner_id = ${userId}
    or exists (select from site_members as members where members.site_id = sites.id and members.user_id = ${userId})
    or exists (select from organization_members as employees
      where employees.user_id = ${userId} and employees.organization_id = sites.organization_id))`.execute(
      tx,
    );
  if (rows.length === 0)
    throw new ValidationError({ assignee_id: ['must be the account of someone who sees the site'] });
}

async function nameOf(tx: Database, userId: number): Promise<string> {
  const user = await tx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const name = fullName({ first_name: user.first_name ?? '', last_name: user.last_name ?? '' });
  return name === '' ? user.email : name;
}
