import type { Locale } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isSuspended } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';

/** A process that has not recorded an answer by then has died, in milliseconds. */
const LEASE_MS = 60_000;

/** Until a channel whose server is busy has its next turn, at least, and at most twice as long, in milliseconds. */
const BUSY_MS = 2_000;

/** Turns of one organization in a claim. */
const TURNS_PER_TENANT = 4;

/** Before all tenants, which are integers of 32 bits. */
const FIRST_TENANT = -(2 ** 31);

/** The turn of a channel. Its subscription, or its sealed address, is null when it is gone. */
export interface Turn {
  readonly queueId: number;
  readonly userId: number;
  /** The organization, or minus the account. */
  readonly tenant: number;
  readonly channel: 'push' | 'ntfy' | 'telegram';
  readonly locale: Locale;
  readonly subscriptionId: number | null;
  readonly endpoint: string | null;
  readonly p256dh: Buffer | null;
  readonly auth: Buffer | null;
  readonly sealedNtfy: Buffer | null;
  readonly sealedTelegram: Buffer | null;
}

/** A message under way. */
export interface Underway {
  readonly id: string;
  readonly queueId: number;
  readonly doubtful: boolean;
  readonly attempts: number;
  /** When it was due, before the claim. */
  readonly dueAt: Date;
  readonly createdAt: Date;
}

/** The state of a message after an attempt. */
export interface Result {
  readonly state: 'waiting' | 'sent' | 'failed' | 'skipped';
  readonly dueAt: Date;
  readonly sentAt: Date | null;
  readonly failure: string | null;
  /** Whether the receiver may have it although no answer came. */
  readonly isDoubtful: boolean;
  /** Whether its channel counts as failing from now on; undefined leaves it. */
  readonly isFailing: boolean | undefined;
}

export interface ClaimOptions {
  /** Of channels whose last attempt failed, or of the others. */
  readonly isFailing: boolean;
  readonly limit: number;
  /** Those that have no turn now. */
  readonly full: { readonly accounts: readonly number[]; readonly tenants: readonly number[] };
  /** Decides about a turn before anything of its message is read; 'full' leaves it. */
  readonly admit: (turn: Turn) => 'claim' | 'busy' | 'full';
}

/** Messages that wait or are under way; the condition of the index `notifications_turn`. */
const OPEN = sql`notifications.state in ('waiting', 'sending') and notifications.channel <> 'mail'`;

const OF_QUEUE = sql`notifications.user_id = queue.user_id and notifications.channel = queue.channel
  and coalesce(notifications.push_subscription_id, 0) = coalesce(queue.push_subscription_id, 0)`;

/**
 * The messages of all accounts by push, ntfy and Telegram, which all processes share. Organizations, and accounts without
 * one, have their turns one after another, whatever number of messages they have; each turn is one message of one channel,
 * which sends one at a time. The claim of a message is a lease: where its process dies, it is due again.
 */
export class MessageQueue {
  readonly #db: Database;
  readonly #clock: Clock;
  /** The tenants that had the last turns, of channels that fail and of the others. */
  readonly #lastTenants = { failing: FIRST_TENANT, others: FIRST_TENANT };

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  isDue(at: Date): RawBuilder<SqlBool> {
    return sql`exists (select from message_queues where turn_at <= ${at})`;
  }

  /**
   * Claims one message of each channel whose turn it is. A channel whose server is busy has its next turn later, and
   * nothing of its messages is read or written.
   *
   * @returns with `hasMore` where others may have their turn
   */
  async claim(options: ClaimOptions): Promise<{ messages: readonly Underway[]; hasMore: boolean }> {
    if (options.limit <= 0) return { messages: [], hasMore: false };
    const nowMs = this.#clock.now();
    const [now, lease] = [new Date(nowMs), new Date(nowMs + LEASE_MS)];
    const lane = options.isFailing ? 'failing' : 'others';
    return this.#db.transaction().execute(async (tx) => {
      const turns = await lockTurns(tx, options, this.#lastTenants[lane], now);
      if (turns.length === 0) return { messages: [], hasMore: false };
      this.#lastTenants[lane] = turns.reduce((last, turn) =>
        turn.position > last.position ? turn : last,
      ).tenant;
      const decided = turns.map((turn) => ({ queueId: turn.queueId, as: options.admit(turn) }));
      const ids = (as: 'claim' | 'busy') => decided.filter((one) => one.as === as).map((one) => one.queueId);
      // The messages are read after the locks: what another process claimed before it released one is seen.
      const { rows } = await sql<Omit<Underway, 'id'> & { id: string | null; isDue: boolean | null }>`
        with turn as (
          select queue.id as queue_id, message.id, message.state, message.due_at,
            (select min(due_at) from notifications
              where ${OF_QUEUE} and state = 'sending' and channel <> 'mail' and due_at > ${now}
            ) as underway_until,
            case when message.id is null then (select greatest(min(next.due_at), ${now}::timestamptz) from unnest(array[1, 2, 3]) as level (urgency)
              cross join lateral (
                select due_at from notifications where ${OF_QUEUE} and urgency = level.urgency and ${OPEN}
                order by due_at limit 1
              ) as next having min(next.due_at) is not null) end as next_at
          from message_queues as queue left join lateral (
            select first.id, first.state, first.due_at from unnest(array[3, 2, 1]) as level (urgency)
            cross join lateral (
              select id, state, due_at from notifications
              where ${OF_QUEUE} and urgency = level.urgency and ${OPEN} and due_at <= ${now}
              order by due_at limit 1 for update skip locked
            ) as first order by level.urgency desc limit 1
          ) as message on true
          where queue.id = any(${ids('claim')}::int[])
        ), claimed as (
          update notifications set state = 'sending', attempts = attempts + 1, due_at = ${lease},
            doubtful = doubtful or turn.state = 'sending'
          from turn where notifications.id = turn.id and turn.underway_until is null
          returning notifications.*, turn.queue_id, turn.due_at as was_due_at
        ), moved as (
          update message_queues set turn_at = coalesce(turn.underway_until,
            case when turn.id is not null then ${lease}::timestamptz else turn.next_at end)
          from turn where message_queues.id = turn.queue_id returning message_queues.id, message_queues.turn_at
        ), busy as (
          update message_queues set turn_at = ${now}::timestamptz + ${BUSY_MS} * (1 + random()) * interval '1 millisecond'
          where id = any(${ids('busy')}::int[])
        )
        select claimed.id, moved.id as "queueId", claimed.doubtful, claimed.attempts, claimed.was_due_at as "dueAt",
          claimed.created_at as "createdAt", moved.turn_at <= ${now} as "isDue"
        from moved left join claimed on claimed.queue_id = moved.id`.execute(tx);
      const messages = rows.flatMap(({ id, isDue: _, ...message }) =>
        id === null ? [] : [{ id, ...message }],
      );
      // A message that another transaction has locked stays due.
      const hasMore = decided.length > rows.length || rows.some(({ isDue }) => !isDue);
      return { messages, hasMore };
    });
  }

  /** Stores the end of an attempt, unless another process has claimed the message since, and gives its channel a turn. */
  async finish({ id, queueId, attempts }: Underway, result: Result): Promise<void> {
    const { state, dueAt, sentAt, failure, isDoubtful, isFailing } = result;
    await this.#db
      .updateTable('notifications')
      .set({ state, due_at: dueAt, sent_at: sentAt, failure, ...(isDoubtful && { doubtful: true }) })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .execute();
    // The next claim finds out when it has its turn.
    const now = new Date(this.#clock.now());
    await sql`update message_queues set turn_at = least(turn_at, ${now}),
      failing = coalesce(${isFailing ?? null}::boolean, failing) where id = ${queueId}`.execute(this.#db);
  }

  /** Forgets a browser whose push service does not know it any more, with all messages to it. */
  async forget(subscriptionId: number): Promise<void> {
    await this.#db.deleteFrom('push_subscriptions').where('id', '=', subscriptionId).execute();
  }
}

interface LockedTurn extends Turn {
  /** Of its tenant, among those after the last one that had a turn. */
  readonly position: number;
}

/** Locks the turns of the next tenants, a few of each, without those that another process has locked. */
async function lockTurns(
  tx: Database,
  { isFailing, limit, full }: ClaimOptions,
  last: number,
  now: Date,
): Promise<LockedTurn[]> {
  const mayHaveTurn = sql`failing = ${isFailing} and turn_at <= ${now}
    and tenant <> all(${full.tenants}::int[]) and user_id <> all(${full.accounts}::int[])`;
  const { rows } = await sql<LockedTurn>`
    with recursive tenants (tenant, has_wrapped, position) as (
      select ${last}::integer, false, 0
      union all
      select next.tenant, has_wrapped or next.tenant <= tenants.tenant, position + 1 from tenants cross join lateral (
        select coalesce(
          (select tenant from message_queues
            where ${mayHaveTurn} and tenant > tenants.tenant and (not tenants.has_wrapped or tenant <= ${last})
            order by tenant limit 1),
          case when not tenants.has_wrapped then (select tenant from message_queues
            where ${mayHaveTurn} and tenant <= ${last} order by tenant limit 1) end)
      ) as next (tenant) where position < ${limit} and next.tenant is not null
    ), turns as (
      select turn.id, position from tenants cross join lateral (
        select id, row_number() over (order by turn_at) as rank from message_queues
        where ${mayHaveTurn} and tenant = tenants.tenant
        order by turn_at limit ${TURNS_PER_TENANT}
      ) as turn where position > 0 order by turn.rank, position limit ${limit}
    )
    select queue.id as "queueId", turns.position, queue.user_id as "userId", queue.tenant, queue.channel, users.locale,
      subscriptions.id as "subscriptionId", subscriptions.endpoint, subscriptions.p256dh, subscriptions.auth,
      case when not ${isSuspendedChannel('ntfy')} then settings.sealed_ntfy end as "sealedNtfy",
      case when not ${isSuspendedChannel('telegram')} then settings.sealed_telegram end as "sealedTelegram"
    from turns join message_queues as queue on queue.id = turns.id join users on users.id = queue.user_id
      left join notification_settings as settings on settings.user_id = queue.user_id
      left join push_subscriptions as subscriptions on subscriptions.id = queue.push_subscription_id
        and subscriptions.user_id = queue.user_id
        and not ${isSuspended('push_subscription_id', sql.ref('subscriptions.id'))}
    where queue.failing = ${isFailing} and queue.turn_at <= ${now}
    for update of queue skip locked`.execute(tx);
  return rows;
}

function isSuspendedChannel(kind: 'ntfy' | 'telegram'): RawBuilder<SqlBool> {
  return sql`exists (select from delegations where delegations.user_id = queue.user_id
    and delegations.kind = ${kind} and delegations.suspended_at is not null)`;
}
