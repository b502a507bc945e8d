import {
  ALERT_EVENT_TYPES,
  EVENT_DAYS,
  type EventsQuery,
  type EventType,
  type ServiceEvent,
} from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { isOwnToken } from '../../access/site-permissions.ts';
import { looksAfterSite, sendsEventsTo, visibleTo } from '../../access/visible-sites.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { organizationPermissions, requireManager } from '../../organizations/organizations/policy.ts';
import { type EventPosition, type FeedEvent, FIRST_POSITION, positionOf, presentEvent } from './position.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** For all who may read a site; the rest is for those who may read its audit log. */
const READABLE_TYPES: readonly EventType[] = [
  ...ALERT_EVENT_TYPES,
  'site.online',
  'site.offline',
  'energy.day',
];

type Condition = RawBuilder<SqlBool>;

/**
 * The events of the service in an order that never changes: an event that is read has none before it that appears
 * later.
 */
export class EventFeed {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Events of the sites that the caller sees and has accepted, and of the caller's own account.
   *
   * @throws ValidationError for a position that is no longer kept
   */
  async ofCaller(caller: Caller, query: EventsQuery): Promise<ServiceEvent[]> {
    const { limit } = pageFrom(query);
    return (await this.seenBy(caller, await this.#positionOf(query), query.type, limit)).map(presentEvent);
  }

  /** @param type as in `EventsQuery` */
  async seenBy(
    caller: Caller,
    position: EventPosition,
    type: string | undefined,
    limit: number,
  ): Promise<FeedEvent[]> {
    const isNext = sql<SqlBool>`${isAfter(position)} and ${hasType(type)}`;
    const isReadable = sql<SqlBool>`type = any(${READABLE_TYPES}::text[])`;
    // An operator sees every site: the feed itself is the index. Tokens of third parties read no event of the account.
    const events =
      caller.staff && caller.organizationId === null && caller.siteId === null && isOwnToken(caller)
        ? sql<FeedEvent>`${SELECTED} where ${isNext}`
        : sql<FeedEvent>`
            with seen as materialized (
              select sites.id, ${looksAfterSite(caller)} as managed from sites where ${visibleTo(caller)} and ${sendsEventsTo(caller)}
            )
            select one.* from seen cross join lateral (
              ${SELECTED} where site_id = seen.id and ${isNext} and (seen.managed or ${isReadable})
              order by transaction, id limit ${limit}
            ) as one
            union
            (${SELECTED} where ${isOwnToken(caller)} and user_id = ${caller.userId} and ${isWithin(caller)} and ${isAccepted} and ${isNext}
              order by transaction, id limit ${limit})`;
    const { rows } = await sql<FeedEvent>`${events} order by transaction, id limit ${limit}`.execute(
      this.#db,
    );
    return rows;
  }

  /**
   * Events of an organization's sites and team, for its owners and admins.
   *
   * @throws NotFound; Forbidden; ValidationError for a position that is no longer kept
   */
  async ofOrganization(caller: Caller, organizationId: number, query: EventsQuery): Promise<ServiceEvent[]> {
    const organization = orNotFound(
      await this.#db
        .selectFrom('organizations')
        .leftJoin('organization_members as employees', (join) =>
          join
            .onRef('employees.organization_id', '=', 'organizations.id')
            .on('employees.user_id', '=', caller.userId),
        )
        .select('employees.role')
        .where('organizations.id', '=', organizationId)
        .executeTakeFirst(),
    );
    requireManager(organizationPermissions(caller, organizationId, organization.role));
    const { limit } = pageFrom(query);
    const events = await this.inOrganization(
      organizationId,
      await this.#positionOf(query),
      query.type,
      limit,
    );
    return events.map(presentEvent);
  }

  /** @param type as in `EventsQuery` */
  async inOrganization(
    organizationId: number,
    position: EventPosition,
    type: string | undefined,
    limit: number,
  ): Promise<FeedEvent[]> {
    const { rows } = await sql<FeedEvent>`
      ${SELECTED} where organization_id = ${organizationId} and ${isAfter(position)} and ${hasType(type)}
      order by transaction, id limit ${limit}`.execute(this.#db);
    return rows;
  }

  async #positionOf({ after }: EventsQuery): Promise<EventPosition> {
    if (after === undefined) return FIRST_POSITION;
    const position = positionOf(after);
    if (position === undefined) throw new ValidationError({ after: ['is not the id of an event'] });
    if (position.atMs < this.#clock.now() - EVENT_DAYS * DAY_MS) {
      throw new ValidationError({
        after: [`is older than the ${EVENT_DAYS} days for which events are kept: begin without it`],
      });
    }
    return currentPosition(this.#db, position);
  }
}

const SELECTED = sql`select transaction, id, at, type, site_id as "siteId", organization_id as "organizationId",
  user_id as "userId", data from events`;

/** For what the service itself does about events, each once: the next ones behind a position. */
export async function nextEvents(db: Database, position: EventPosition, limit: number): Promise<FeedEvent[]> {
  const { rows } = await sql<FeedEvent>`
    ${SELECTED} where ${isAfter(position)} order by transaction, id limit ${limit}`.execute(db);
  return rows;
}

/** A reader's place, which may be from before the database was restored: events that were lost give way to their time. */
async function currentPosition(db: Database, position: EventPosition): Promise<EventPosition> {
  const { rows } = await sql<{ transaction: string | null; isAhead: boolean }>`
    select (select transaction from events where id = ${position.id}::bigint
        and date_trunc('milliseconds', at) = ${new Date(position.atMs)}) as transaction,
      ${position.transaction}::xid8 >= pg_snapshot_xmin(pg_current_snapshot()) as "isAhead"`.execute(db);
  const [known] = rows;
  if (known?.transaction != null) return { ...position, transaction: known.transaction };
  return known?.isAhead ? positionBefore(db, new Date(position.atMs)) : position;
}

/** Before the events of all transactions that have not ended. */
export async function endOfFeed(db: Database, nowMs: number): Promise<EventPosition> {
  const { rows } = await sql<{ transaction: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction`.execute(db);
  return { atMs: nowMs, transaction: rows[0]?.transaction ?? FIRST_POSITION.transaction, id: '0' };
}

/** Before the first event that happened at a time or later. */
export async function positionBefore(db: Database, since: Date): Promise<EventPosition> {
  const { rows } = await sql<{ transaction: string; id: string }>`
    select transaction, id from events where at >= ${since} order by transaction, id limit 1`.execute(db);
  const [first] = rows;
  if (first === undefined) return endOfFeed(db, since.getTime());
  return { atMs: since.getTime(), transaction: first.transaction, id: String(BigInt(first.id) - 1n) };
}

/** Events behind a position whose transactions, and all before them, have ended. */
function isAfter({ transaction, id }: EventPosition): Condition {
  return sql`(transaction, id) > (${transaction}::xid8, ${id}::bigint)
    and transaction < pg_snapshot_xmin(pg_current_snapshot())`;
}

/** Whether an event has one of the types, or of the first parts of types; true without any. */
function hasType(types: string | undefined): Condition {
  const given = (types ?? '').split(',').flatMap((type) => (type.trim() === '' ? [] : [type.trim()]));
  if (given.length === 0) return sql`true`;
  return sql`(type = any(${given}::text[]) or split_part(type, '.', 1) = any(${given}::text[]))`;
}

/** Whether an event of the account is in the organization that the caller is limited to. */
function isWithin({ organizationId }: Caller): Condition {
  return organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`;
}

/** False for what the people of a site did with a role of the account that it had not accepted. */
const isAccepted = sql<SqlBool>`data ->> 'pending' is distinct from 'true'`;
