import type { Locale } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isSuspended } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';

/** Messages of one account that all processes together send at the same time. */
export const CONCURRENCY_PER_ACCOUNT = 2;

/** A process that has not recorded an answer by then has died, in milliseconds. */
const LEASE_MS = 60_000;

/** A message under way. Its subscription, or its sealed channel, is gone when it is null. */
export interface Underway {
  readonly id: string;
  readonly userId: number;
  readonly channel: 'push' | 'ntfy' | 'telegram';
  readonly doubtful: boolean;
  readonly attempts: number;
  /** When it was due, before the claim. */
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly locale: Locale;
  readonly subscriptionId: number | null;
  readonly endpoint: string | null;
  readonly p256dh: Buffer | null;
  readonly auth: Buffer | null;
  readonly sealedNtfy: Buffer | null;
  readonly sealedTelegram: Buffer | null;
}

/** The state of a message after an attempt. */
export interface Result {
  readonly state: 'waiting' | 'sent' | 'failed' | 'skipped';
  readonly dueAt: Date;
  readonly sentAt: Date | null;
  readonly failure: string | null;
  /** Whether the receiver may have it although no answer came. */
  readonly isDoubtful: boolean;
  /** Whether its account counts as failing from now on; undefined leaves it. */
  readonly isFailing: boolean | undefined;
}

/** Messages that wait or are under way; the condition of the index `notifications_turn`. */
const OPEN = sql`notifications.state in ('waiting', 'sending') and notifications.channel <> 'mail'`;

/**
 * The messages of all accounts by push, ntfy and Telegram, which all processes share. Accounts have their turns one after
 * another, whatever number of messages they have, and each turn is one message. The claim of a message is a lease: where
 * its process dies, it is due again.
 */
export class MessageQueue {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  isDue(at: Date): RawBuilder<SqlBool> {
    return sql`exists (select from message_queues where turn_at <= ${at})`;
  }

  /**
   * Claims one message of each account whose turn it is, for so many accounts.
   *
   * @param isFailing whether of the accounts whose last attempt failed, or of the others
   * @returns with `hasMore` where other accounts may have their turn
   */
  async claim(
    limit: number,
    isFailing: boolean,
  ): Promise<{ messages: readonly Underway[]; hasMore: boolean }> {
    if (limit <= 0) return { messages: [], hasMore: false };
    const nowMs = this.#clock.now();
    const [now, lease] = [new Date(nowMs), new Date(nowMs + LEASE_MS)];
    return this.#db.transaction().execute(async (tx) => {
      const { rows: turns } = await sql<{ userId: number }>`
        select user_id as "userId" from message_queues where turn_at <= ${now} and failing = ${isFailing}
        order by turn_at limit ${limit} for update skip locked`.execute(tx);
      if (turns.length === 0) return { messages: [], hasMore: false };
      // The rows are read after the locks: what another process claimed before it released one is seen.
      const { rows } = await sql<Underway>`
        with turn as (
          select account.user_id, message.id, message.state, message.due_at, (select count(*) from notifications
              where user_id = account.user_id and state = 'sending' and channel <> 'mail' and due_at > ${now}) as underway
          from unnest(${turns.map(({ userId }) => userId)}::int[]) as account (user_id)
          left join lateral (
            select first.id, first.state, first.due_at from unnest(array[3, 2, 1]) as level (urgency)
            cross join lateral (
              select id, state, due_at from notifications
              where user_id = account.user_id and urgency = level.urgency and ${OPEN} and due_at <= ${now}
              order by due_at limit 1 for update skip locked
            ) as first order by level.urgency desc limit 1
          ) as message on true
        ), claimed as (
          update notifications set state = 'sending', attempts = attempts + 1, due_at = ${lease},
            doubtful = doubtful or turn.state = 'sending'
          from turn where notifications.id = turn.id and turn.underway < ${CONCURRENCY_PER_ACCOUNT}
          returning notifications.*, turn.due_at as was_due_at
        ), moved as (
          update message_queues set turn_at = case
            when turn.underway + (select count(*) from claimed where claimed.user_id = turn.user_id) >= ${CONCURRENCY_PER_ACCOUNT}
            then ${lease}::timestamptz
            else least(case when turn.id is not null then ${lease}::timestamptz end, (
              select greatest(min(next.due_at), ${now}::timestamptz) from unnest(array[1, 2, 3]) as level (urgency)
              cross join lateral (
                select due_at from notifications
                where user_id = turn.user_id and urgency = level.urgency and ${OPEN} and id is distinct from turn.id
                order by due_at limit 1
              ) as next having min(next.due_at) is not null)) end
          from turn where message_queues.user_id = turn.user_id
        )
        select claimed.id, claimed.user_id as "userId", claimed.channel, claimed.doubtful, claimed.attempts,
          claimed.was_due_at as "dueAt", claimed.created_at as "createdAt", users.locale,
          subscriptions.id as "subscriptionId", subscriptions.endpoint, subscriptions.p256dh, subscriptions.auth,
          case when not ${isSuspendedChannel('ntfy')} then settings.sealed_ntfy end as "sealedNtfy",
          case when not ${isSuspendedChannel('telegram')} then settings.sealed_telegram end as "sealedTelegram"
        from claimed join users on users.id = claimed.user_id
          left join notification_settings as settings on settings.user_id = claimed.user_id
          left join push_subscriptions as subscriptions on subscriptions.id = claimed.push_subscription_id
            and subscriptions.user_id = claimed.user_id
            and not ${isSuspended('push_subscription_id', sql.ref('subscriptions.id'))}`.execute(tx);
      return { messages: rows, hasMore: rows.length > 0 || turns.length === limit };
    });
  }

  /** Stores the end of an attempt, unless another process has claimed the message since, and gives its account a turn. */
  async finish({ id, userId, attempts }: Underway, result: Result): Promise<void> {
    const { state, dueAt, sentAt, failure, isDoubtful, isFailing } = result;
    await this.#db
      .updateTable('notifications')
      .set({ state, due_at: dueAt, sent_at: sentAt, failure, ...(isDoubtful && { doubtful: true }) })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .execute();
    await this.#giveTurn(userId, isFailing);
  }

  /** Gives a message back, to be claimed again from then on. It counts as tried, as nothing is added to its summary any more. */
  async defer({ id, userId, attempts }: Underway, dueAt: Date): Promise<void> {
    await this.#db
      .updateTable('notifications')
      .set({ state: 'waiting', due_at: dueAt, attempts: Math.max(attempts - 1, 1) })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .execute();
    await this.#giveTurn(userId, undefined);
  }

  /** Forgets a browser whose push service does not know it any more, with all messages to it. */
  async forget({ userId }: Underway, subscriptionId: number): Promise<void> {
    await this.#db.deleteFrom('push_subscriptions').where('id', '=', subscriptionId).execute();
    await this.#giveTurn(userId, undefined);
  }

  /** Lets the next claim find out when the account has its turn. */
  async #giveTurn(userId: number, isFailing: boolean | undefined): Promise<void> {
    const now = new Date(this.#clock.now());
    await sql`update message_queues set turn_at = least(turn_at, ${now}), failing = coalesce(${isFailing ?? null}::boolean, failing)
      where user_id = ${userId}`.execute(this.#db);
  }
}

function isSuspendedChannel(kind: 'ntfy' | 'telegram'): RawBuilder<SqlBool> {
  return sql`exists (select from delegations where delegations.user_id = claimed.user_id
    and delegations.kind = ${kind} and delegations.suspended_at is not null)`;
}
