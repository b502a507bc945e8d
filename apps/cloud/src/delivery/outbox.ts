import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/open.ts';
import type { Work } from './due-work.ts';
import { GIVE_UP_MS, type RetrySteps, retryMs } from './retry.ts';

/** A process that has not recorded the end of an attempt by then has died, in milliseconds. */
const LEASE_MS = 60_000;

/** Leases in a row of a delivery whose process died each time: it waits longer from one to the next. */
const MAX_LEASES = 15;

/** Deliveries of one tenant in a claim. */
const TURNS_PER_TENANT = 4;

/** Before all tenants, which are integers of 32 bits. */
const FIRST_TENANT = -(2 ** 31);

const LANES = [0, 1] as const;
export type Lane = (typeof LANES)[number];

/** A delivery that this process has claimed. */
export interface ClaimedDelivery {
  /** 64-bit. */
  readonly id: string;
  readonly lane: Lane;
  readonly tenant: number;
  readonly payload: unknown;
  readonly messageId: string | null;
  /** Without success in a row, with this one. */
  readonly attempts: number;
  /** An attempt had no end: the receiver may have it. */
  readonly isDoubtful: boolean;
  readonly failingSince: Date | null;
  readonly leaseUntil: Date;
  /** The process of the last attempt did not record its end. */
  readonly isInterrupted: boolean;
}

/** The end of an attempt. */
export type Outcome =
  | { readonly is: 'sent' | 'skipped' }
  /** `refused`: a further attempt would be the same. */
  | { readonly is: 'refused' | 'retry'; readonly failure: string };

/** One way to send. */
export interface Sender {
  /** In the log, such as "mails". */
  readonly name: string;
  /** The condition of its deliveries, as their indexes have it. */
  readonly deliveries: RawBuilder<SqlBool>;
  /** Attempts of this process at the same time. */
  readonly concurrency: number;
  readonly retries: RetrySteps;
  readonly leaseMs?: number;
  /** @param end of the process, or of the lease @throws any error is worth another attempt */
  send(claim: ClaimedDelivery, end: AbortSignal): Promise<Outcome>;
}

export interface OutboxOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sender: Sender;
  /** `stop` waits this long for attempts before it ends them, in milliseconds. */
  readonly stopMs?: number;
}

/**
 * Sends the deliveries of one sender that are due. All processes share them: each takes those that no other one has a claim on,
 * and each attempt that ends makes room for the next. Tenants have turns, whatever number of deliveries they have.
 *
 * A claim is a lease by the clock of the database. Where its process dies, the delivery is due again when it is over, and doubtful.
 */
export class Outbox implements Work {
  readonly #options: OutboxOptions;
  readonly #underway = new Map<string, Promise<void>>();
  readonly #lastTenants: Record<Lane, number> = { 0: FIRST_TENANT, 1: FIRST_TENANT };
  readonly #end = new AbortController();
  #isStopped = false;
  #filling: Promise<void> | undefined;
  #isWanted = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.sender.name;
  }

  isDue(now: Date): RawBuilder<SqlBool> {
    return sql`exists (select from deliveries where ${this.#isFree(now)})`;
  }

  /** Begins to send what is due, as far as this process may send more at the same time. */
  run(): Promise<void> {
    this.#isWanted = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #fill(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      for (const lane of LANES) if (await this.#claim(lane)) this.#isWanted = true;
    }
  }

  /** Resolves when nothing is under way, claims included. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const { stopMs } = this.#options;
    const timer = stopMs === undefined ? undefined : setTimeout(() => this.#end.abort(), stopMs);
    while (this.#filling !== undefined || this.#underway.size > 0)
      await Promise.allSettled([this.#filling, ...this.#underway.values()]);
    clearTimeout(timer);
  }

  #isFree(now: Date): RawBuilder<SqlBool> {
    return sql`${this.#options.sender.deliveries} and due_at <= ${now} and (lease_until is null or lease_until < now())`;
  }

  /** @returns whether there may be more */
  async #claim(lane: Lane): Promise<boolean> {
    const limit = this.#options.sender.concurrency - this.#underway.size;
    if (limit <= 0 || this.#isStopped) return false;
    const claims = await this.#claimTurns(lane, limit);
    if (this.#isStopped) {
      await this.#giveBack(claims);
      return false;
    }
    for (const claim of claims) {
      const attempt = this.#attempt(claim)
        .catch((error: unknown) => this.#warn(claim, error))
        .then(() => {
          this.#underway.delete(claim.id);
          return this.run();
        })
        // Due work is looked for each second in any case.
        .catch((error: unknown) => this.#warn(claim, error));
      this.#underway.set(claim.id, attempt);
    }
    return claims.length > 0;
  }

  /** Claims deliveries of the next tenants, a few of each, without those that another process has locked. */
  async #claimTurns(lane: Lane, limit: number): Promise<ClaimedDelivery[]> {
    const { db, clock, sender } = this.#options;
    const leaseMs = sender.leaseMs ?? LEASE_MS;
    const now = new Date(clock.now());
    const isFree = this.#isFree(now);
    // A clock that is set forward makes leases no shorter for the process that has them.
    const mayHaveTurn = sql`${isFree} and lane = ${lane} and id <> all(${[...this.#underway.keys()]}::bigint[])`;
    const last = this.#lastTenants[lane];
    const { rows } = await sql<ClaimedDelivery & { position: number }>`
      with recursive tenants (tenant, has_wrapped, position) as (
        select ${last}::integer, false, 0
        union all
        select next.tenant, has_wrapped or next.tenant <= tenants.tenant, position + 1 from tenants cross join lateral (
          select coalesce(
            (select tenant from deliveries
              where ${mayHaveTurn} and tenant > tenants.tenant and (not tenants.has_wrapped or tenant <= ${last})
              order by tenant limit 1),
            case when not tenants.has_wrapped then (select tenant from deliveries
              where ${mayHaveTurn} and tenant <= ${last} order by tenant limit 1) end)
        ) as next (tenant) where position < ${limit} and next.tenant is not null
      ), turns as (
        select turn.id, position from tenants cross join lateral (
          select id, row_number() over (order by due_at, id) as rank from deliveries
          where ${mayHaveTurn} and tenant = tenants.tenant
          order by due_at, id limit ${TURNS_PER_TENANT}
        ) as turn where position > 0 order by turn.rank, position limit ${limit}
      ), locked as materialized (
        select deliveries.id, turns.position, lease_until is not null as interrupted from turns join deliveries using (id)
        where ${isFree} for update of deliveries skip locked
      )
      update deliveries set attempts = attempts + 1, doubtful = doubtful or interrupted,
        failing_since = case when interrupted then coalesce(failing_since, ${now}) else failing_since end,
        lease_until = date_trunc('milliseconds', clock_timestamp()) + ${leaseMs} * interval '1 millisecond'
          * case when interrupted then least(attempts, ${MAX_LEASES}) else 1 end
      from locked where deliveries.id = locked.id
      returning deliveries.id, lane, tenant, payload, message_id as "messageId", attempts, doubtful as "isDoubtful",
        failing_since as "failingSince", lease_until as "leaseUntil", interrupted as "isInterrupted", position`.execute(
      db,
    );
    const latest = rows.toSorted((a, b) => b.position - a.position)[0];
    if (latest !== undefined) this.#lastTenants[lane] = latest.tenant;
    return rows;
  }

  /** Leaves claims to other processes, as if they had not been made. */
  async #giveBack(claims: readonly ClaimedDelivery[]): Promise<void> {
    for (const { id, leaseUntil } of claims) {
      await this.#options.db
        .updateTable('deliveries')
        .set((eb) => ({ lease_until: null, attempts: eb('attempts', '-', 1) }))
        .where('id', '=', id)
        .where('lease_until', '=', leaseUntil)
        .execute();
    }
  }

  async #attempt(claim: ClaimedDelivery): Promise<void> {
    const { db, clock, sender } = this.#options;
    const { failingSince, isInterrupted } = claim;
    const record = (outcome: Outcome) =>
      recordOutcome(db, claim, outcome, { nowMs: clock.now(), retries: sender.retries });
    // Processes that die of a delivery try it for as long as others are tried.
    if (isInterrupted && failingSince !== null && clock.now() - failingSince.getTime() >= GIVE_UP_MS)
      return record({ is: 'retry', failure: UNEXPECTED });
    const leaseEnd = AbortSignal.timeout(sender.leaseMs ?? LEASE_MS);
    const outcome = await sender
      .send(claim, AbortSignal.any([leaseEnd, this.#end.signal]))
      .catch((error: unknown): Outcome => {
        this.#warn(claim, error);
        return { is: 'retry', failure: UNEXPECTED };
      });
    await record(outcome);
  }

  #warn({ id }: ClaimedDelivery, error: unknown): void {
    const { logger, sender } = this.#options;
    logger.warn({ of: sender.name, delivery: id, reason: reasonOf(error) }, 'a delivery could not be made');
  }
}

/** A fault of the cloud, whose log has the reason. */
const UNEXPECTED = 'the cloud could not send it';

/** Stores the end of an attempt, unless its claim is over. */
async function recordOutcome(
  db: Database,
  { id, attempts, failingSince, leaseUntil }: ClaimedDelivery,
  outcome: Outcome,
  { nowMs, retries }: { readonly nowMs: number; readonly retries: RetrySteps },
): Promise<void> {
  const now = new Date(nowMs);
  const since = failingSince ?? now;
  const isRetried = outcome.is === 'retry' && nowMs - since.getTime() < GIVE_UP_MS;
  await db
    .updateTable('deliveries')
    .set({
      lease_until: null,
      failure: 'failure' in outcome ? outcome.failure : null,
      ...(isRetried
        ? { due_at: new Date(nowMs + retryMs(retries, attempts)), failing_since: since }
        : { due_at: null, outcome: outcome.is === 'retry' ? 'failed' : outcome.is, ended_at: now }),
    })
    .where('id', '=', id)
    .where('lease_until', '=', leaseUntil)
    .execute();
}
