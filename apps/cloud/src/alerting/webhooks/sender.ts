import { WEBHOOK_RETRY_DAYS, type WebhookDelivery } from '@heliograph/contracts';
import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { accountCaller, type Caller, SERVICE } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { Work } from '../../delivery/due-work.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { type RetrySteps, retryMs } from '../../delivery/retry.ts';
import { EventFeed, type FeedEvent, presentEvent } from '../events/service.ts';
import { Delivery, type DeliveryOptions, isSuccess } from './delivery.ts';
import { type Attempt, positionOfRow, readersOf, type WebhookRow } from './records.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A webhook that no event woke is looked at nevertheless: what its owner may read can have changed. */
const IDLE_MS = HOUR_MS;

/** A claim is extended with each progress; a process that died loses it after this time. */
const CLAIM_MS = MINUTE_MS;

/** Webhooks that one process sends at a time, and how many of them may be failing ones, or those of one account or organization. */
const CONCURRENCY = 64;
const CONCURRENCY_OF_FAILING = 16;
const CONCURRENCY_PER_OWNER = 8;

/** A webhook that has more to send has its next turn after all that are due, in milliseconds. */
const TURN_MS = 2_000;

/** Events that are read in one go. */
const BATCH = 50;

/** Progress is stored at least so often: what was sent since is sent again after a crash. */
const STORE_EVERY_MS = 1_000;

/** As docs/events.md promises receivers: without a random part. */
const RETRIES: RetrySteps = {
  waitsMs: [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS],
  jitter: 0,
};

/** Answers that concern one event rather than the receiver as a whole: it is left out after some tries. */
const REFUSALS_OF_EVENT = [400, 409, 413, 415, 422];
const TRIES_OF_REFUSED_EVENT = 4;

/** The receiver wants no messages any more. */
const GONE = 410;

/** Messages that are kept for each webhook. */
const KEPT_DELIVERIES = 200;

export interface WebhookSenderOptions extends DeliveryOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly mail: MailService;
  readonly logger: Logger;
}

/** An attempt and what follows from it. */
interface Done {
  readonly attempt: Attempt;
  readonly outcome: WebhookDelivery['outcome'];
}

/**
 * Sends each webhook the events behind its place in the feed, in their order. A receiver that fails is tried again later,
 * and holds up no other. Webhooks have turns, the owners one webhook after another. Each webhook is sent by one process at a time; after a crash the last events are sent again.
 */
export class WebhookSender implements Work {
  readonly name = 'webhooks';
  readonly #options: WebhookSenderOptions;
  readonly #feed: EventFeed;
  readonly #end = new AbortController();
  readonly #sending = new Map<Promise<void>, WebhookRow>();

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.#feed = new EventFeed(options.db, options.clock);
  }

  /** Resolves when no webhook is being sent. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#sending.keys());
  }

  isDue(now: Date): RawBuilder<SqlBool> {
    return sql`exists (select from webhooks where ${isDue(now)})`;
  }

  /** Begins to send the webhooks that are due, as far as this process may send more at a time. */
  async run(): Promise<void> {
    while ((await this.#startNext()) && !this.#end.signal.aborted);
  }

  /** Begins to send one webhook of each owner. @returns whether there was any */
  async #startNext(): Promise<boolean> {
    const failing = [...this.#sending.values()].filter((one) => one.failing_since !== null).length;
    const free = CONCURRENCY - this.#sending.size;
    const healthy = await this.#claim(sql`failing_since is null`, free);
    const retried = await this.#claim(
      sql`failing_since is not null`,
      Math.min(free - healthy.length, CONCURRENCY_OF_FAILING - failing),
      healthy,
    );
    for (const row of [...healthy, ...retried]) {
      const work = this.#send(row)
        .catch((error: unknown) => {
          this.#options.logger.warn(
            { webhook: row.id, reason: reasonOf(error) },
            'a webhook could not be sent',
          );
        })
        .finally(() => this.#sending.delete(work));
      this.#sending.set(work, row);
    }
    return healthy.length + retried.length > 0;
  }

  /** Claims the first due webhook of each owner. @param claimed are about to be sent */
  async #claim(
    condition: RawBuilder<SqlBool>,
    limit: number,
    claimed: readonly WebhookRow[] = [],
  ): Promise<WebhookRow[]> {
    if (limit <= 0) return [];
    const owners = [...this.#sending.values(), ...claimed].map(ownerOf);
    const busy = [...new Set(owners)].filter(
      (owner) => owners.filter((one) => one === owner).length >= CONCURRENCY_PER_OWNER,
    );
    const nowMs = this.#options.clock.now();
    const now = new Date(nowMs);
    const { rows } = await sql<WebhookRow>`
      update webhooks set claimed_until = ${new Date(nowMs + CLAIM_MS)}, next_at = ${new Date(nowMs + CLAIM_MS)}
      where id in (select id from webhooks where ${isDue(now)} and ${condition} and id in (
          select distinct on (user_id, organization_id) id from webhooks
          where ${isDue(now)} and ${condition} and coalesce(-organization_id, user_id) <> all(${busy}::int[])
          order by user_id, organization_id, next_at)
        order by next_at limit ${limit} for update skip locked)
      returning *`.execute(this.#options.db);
    return rows;
  }

  async #send(claimed: WebhookRow): Promise<void> {
    const delivery = new Delivery(claimed, this.#options);
    const progress = new Progress(this.#options, claimed);
    const { clock } = this.#options;
    const endsAtMs = clock.monotonic() + TURN_MS;
    const hasEnded = (): boolean => this.#end.signal.aborted || clock.monotonic() >= endsAtMs;
    try {
      for (;;) {
        const events = await this.#eventsFor(progress.row);
        if (!(await this.#sendEvents(events, delivery, progress, hasEnded))) return;
        const isExpired = hasEnded();
        if (isExpired || events.length < BATCH) {
          // One whose receiver failed was not woken by the events of that time.
          return await progress.release(isExpired || claimed.failing_since !== null);
        }
      }
    } finally {
      delivery.close();
    }
  }

  /** @returns false when the webhook has failed or ended, or the claim has */
  async #sendEvents(
    events: readonly FeedEvent[],
    delivery: Delivery,
    progress: Progress,
    hasEnded: () => boolean,
  ): Promise<boolean> {
    const { clock } = this.#options;
    for (const event of events) {
      if (hasEnded()) break;
      const attempt = await delivery.post(presentEvent(event));
      if (isSuccess(attempt.status)) progress.deliver(event, attempt);
      else if (attempt.status === GONE) {
        await progress.end('gone', attempt);
        return false;
      } else if (await progress.isRefusedAgain(attempt)) progress.skip(event, attempt);
      else {
        await progress.fail(attempt);
        return false;
      }
      if (clock.monotonic() - progress.storedAtMs >= STORE_EVERY_MS && !(await progress.store()))
        return false;
    }
    return true;
  }

  #eventsFor(row: WebhookRow): Promise<FeedEvent[]> {
    const types = row.types.length === 0 ? undefined : row.types.join(',');
    const position = positionOfRow(row);
    return row.user_id === null
      ? this.#feed.inOrganization(row.organization_id ?? 0, position, types, BATCH)
      : this.#accountOf(row.user_id, row.limited_to_organization_id).then((caller) =>
          this.#feed.seenBy(caller, position, types, BATCH),
        );
  }

  /** As it may read now: access that ended is no longer sent. */
  async #accountOf(userId: number, organizationId: number | null): Promise<Caller> {
    const { staff } = await this.#options.db
      .selectFrom('users')
      .select('staff')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return { ...accountCaller(userId, staff), organizationId };
  }
}

/** A number for the account or, below 0, the organization that has a webhook. */
function ownerOf({ user_id: userId, organization_id: organizationId }: WebhookRow): number {
  return organizationId === null ? (userId ?? 0) : -organizationId;
}

function isDue(now: Date): RawBuilder<SqlBool> {
  return sql<SqlBool>`enabled and next_at <= ${now} and (claimed_until is null or claimed_until < ${now})`;
}

/** How far a webhook has come; stored while its claim holds. */
class Progress {
  readonly #options: WebhookSenderOptions;
  readonly #done: Done[] = [];
  row: WebhookRow;
  storedAtMs: number;
  readonly #claimedNextAt: Date;
  #claimedUntil: Date | null;

  constructor(options: WebhookSenderOptions, row: WebhookRow) {
    this.#options = options;
    this.row = row;
    this.#claimedNextAt = row.next_at;
    this.#claimedUntil = row.claimed_until;
    this.storedAtMs = options.clock.monotonic();
  }

  deliver(event: FeedEvent, attempt: Attempt): void {
    this.#advance(event, attempt, 'delivered');
    this.row = { ...this.row, last_delivered_at: attempt.at };
  }

  /**
   * Whether the receiver has refused this one event often enough; times at which it was down do not count, nor those before it was
   * replayed.
   */
  async isRefusedAgain({ status, eventId }: Attempt): Promise<boolean> {
    if (status === null || !REFUSALS_OF_EVENT.includes(status)) return false;
    const { failing_since: since } = this.row;
    if (since === null) return false;
    const before = await this.#options.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', this.row.id)
      .where('event_id', '=', eventId)
      .where('status', 'in', REFUSALS_OF_EVENT)
      .where('at', '>=', since)
      .limit(TRIES_OF_REFUSED_EVENT)
      .execute();
    return before.length + 1 >= TRIES_OF_REFUSED_EVENT;
  }

  /** Leaves an event out. */
  skip(event: FeedEvent, attempt: Attempt): void {
    this.#advance(event, attempt, 'skipped');
  }

  #advance(event: FeedEvent, attempt: Attempt, outcome: Done['outcome']): void {
    this.#done.push({ attempt, outcome });
    this.row = {
      ...this.row,
      transaction: event.transaction,
      event_id: event.id,
      position_at: event.at,
      failing_since: null,
      failures: 0,
    };
  }

  /** @returns false when another process, or a change by a person, has ended the claim */
  store(): Promise<boolean> {
    return this.#store({ claimed_until: new Date(this.#options.clock.now() + CLAIM_MS) });
  }

  /** @param hasMore whether it is due again at once */
  async release(hasMore: boolean): Promise<void> {
    const now = new Date(this.#options.clock.now());
    const idle = new Date(now.getTime() + IDLE_MS);
    // An event may have woken it since it was claimed; one that is due already is not woken.
    const mayHaveMore = hasMore || now >= this.#claimedNextAt;
    const unlessWoken = sql<Date>`case when next_at = ${this.#claimedNextAt} then ${idle}::timestamptz else next_at end`;
    await this.#store({ claimed_until: null, next_at: mayHaveMore ? now : unlessWoken });
  }

  /** Tries again later, or gives up. */
  async fail(attempt: Attempt): Promise<void> {
    const nowMs = this.#options.clock.now();
    const since = this.row.failing_since ?? attempt.at;
    if (nowMs - since.getTime() >= WEBHOOK_RETRY_DAYS * DAY_MS) return this.end('gave_up', attempt);
    this.#done.push({ attempt, outcome: 'retried' });
    const { failures } = this.row;
    this.row = { ...this.row, failing_since: since, failures: failures + 1 };
    const nextAt = new Date(nowMs + retryMs(RETRIES, failures + 1));
    await this.#store({ claimed_until: null, next_at: nextAt });
  }

  /** Switches the webhook off, with a mail to those who look after it. */
  async end(ended: 'gave_up' | 'gone', attempt: Attempt): Promise<void> {
    this.#done.push({ attempt, outcome: 'retried' });
    await this.#store({ claimed_until: null, enabled: false, ended }, async (tx) => {
      const { id, name, user_id: userId, organization_id: organizationId } = this.row;
      await recordAudit(tx, SERVICE, attempt.at, {
        action: 'webhook.gave_up',
        organizationId,
        userId,
        details: { name, id },
      });
      for (const reader of await readersOf(tx, this.row))
        await this.#options.mail.enqueue(tx, {
          kind: 'webhookEnded',
          name,
          userId: reader,
          organizationId,
          at: attempt.at.toISOString(),
          address: null,
        });
    });
  }

  async #store(
    changes: Partial<Pick<WebhookRow, 'claimed_until' | 'enabled' | 'ended'>> & {
      readonly next_at?: Date | RawBuilder<Date>;
    },
    also: (tx: Database) => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    const { transaction, event_id, position_at, failing_since, failures, last_delivered_at, id } = this.row;
    const held = await this.#options.db.transaction().execute(async (tx) => {
      const stored = await tx
        .updateTable('webhooks')
        .set({ transaction, event_id, position_at, failing_since, failures, last_delivered_at, ...changes })
        .where('id', '=', id)
        .where('claimed_until', '=', this.#claimedUntil)
        .returning('id')
        .executeTakeFirst();
      if (stored === undefined) return false;
      await this.#log(tx);
      await also(tx);
      return true;
    });
    this.#claimedUntil = changes.claimed_until ?? null;
    this.storedAtMs = this.#options.clock.monotonic();
    return held;
  }

  async #log(tx: Database): Promise<void> {
    const rows = this.#done.splice(0).map(({ attempt, outcome }) => ({
      webhook_id: this.row.id,
      at: attempt.at,
      event_id: attempt.eventId,
      event_type: attempt.eventType,
      status: attempt.status,
      outcome,
      failure: attempt.failure,
      error: attempt.error,
      duration_ms: attempt.durationMs,
    }));
    if (rows.length === 0) return;
    await tx.insertInto('webhook_deliveries').values(rows).execute();
    await sql`delete from webhook_deliveries where webhook_id = ${this.row.id} and id <= (
      select id from webhook_deliveries where webhook_id = ${this.row.id}
      order by id desc offset ${KEPT_DELIVERIES} limit 1)`.execute(tx);
  }
}
