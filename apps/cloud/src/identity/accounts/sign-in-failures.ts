import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditAction } from '@heliograph/contracts';
import { type Clock, type Logger, messageOf, outsideOfRequests } from '@heliograph/kit';
import { sql } from 'kysely';
import type { ClientAddress } from '../../common/client-address.ts';
import { TooManyRequests } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';

/** Failures of one account from one network share one record for this long, in milliseconds. */
const WINDOW_MS = 60 * 60 * 1000;

/** New records per window. Failures beyond, an attack on many accounts from many networks, are in the log alone. */
const MAX_RECORDS = 1_000;

/** Failures of one account from one network. */
interface FailureTally {
  /** A digest of the action, the account and the network. */
  readonly key: Buffer;
  readonly action: FailureAction;
  readonly userId: number | null;
  readonly address: string | null;
  readonly attempts: number;
  /** The time of the last one. */
  readonly at: Date;
}

/** Adds failures to the audit record of the hour, or creates it. */
function recordFailures(db: Database, tally: FailureTally): Promise<void> {
  const { key, action, userId, address, attempts, at } = tally;
  const from = new Date(at.getTime() - WINDOW_MS);
  return db.transaction().execute(async (tx) => {
    const begun = await tx
      .selectFrom('sign_in_failures')
      .select('audit_id')
      .where('key', '=', key)
      .where('since', '>', from)
      .forUpdate()
      .executeTakeFirst();
    if (begun !== undefined) {
      await sql`update audit_events set details = jsonb_build_object(
          'attempts', (details->>'attempts')::int + ${attempts}::int, 'last_attempt', ${at.toISOString()}::text)
        where id = ${begun.audit_id}`.execute(tx);
      return;
    }
    const { count } = await tx
      .selectFrom('sign_in_failures')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('since', '>', from)
      .executeTakeFirstOrThrow();
    if (count >= MAX_RECORDS) return;
    const { id } = await tx
      .insertInto('audit_events')
      .values({
        at,
        action,
        actor_id: null,
        token_id: null,
        via: 'api',
        address,
        organization_id: null,
        site_id: null,
        user_id: userId,
        device_uid: null,
        details: JSON.stringify({ attempts, last_attempt: at.toISOString() }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('sign_in_failures')
      .values({ key, since: at, audit_id: id })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ since: at, audit_id: id }))
      .execute();
  });
}

/** Tallies, by account and network, that wait for the database; failures beyond are counted in the log alone. */
const MAX_WAITING = 10_000;

/** Least time between two writes, in milliseconds. */
const GATHER_MS = 200;

export type FailureAction = Extract<AuditAction, 'account.sign_in_failed' | 'account.locked_out'>;

export interface SignInFailure {
  readonly action: FailureAction;
  /** Null for an unknown email address. The address itself is not stored: people type passwords there. */
  readonly userId: number | null;
  readonly client: ClientAddress;
}

/**
 * Records failed sign-ins in the background: no answer waits for a record, so its time does not reveal whether an
 * account exists. Failures of one account from one network share one record an hour.
 */
export class SignInFailures {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waiting = new Map<string, FailureTally>();
  #unrecorded = 0;
  #writing: Promise<void> | undefined;

  constructor(db: Database, clock: Clock, logger: Logger) {
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
  }

  record({ action, userId, client }: SignInFailure): void {
    const name = `${action} ${userId} ${client.network}`;
    const known = this.#waiting.get(name);
    if (known === undefined && this.#waiting.size >= MAX_WAITING) {
      this.#unrecorded += 1;
      return;
    }
    this.#waiting.set(name, {
      key: createHash('sha256').update(name).digest(),
      action,
      userId,
      address: known?.address ?? client.address,
      attempts: (known?.attempts ?? 0) + 1,
      at: new Date(this.#clock.now()),
    });
    this.#writing ??= outsideOfRequests(() => this.#write())();
  }

  /** Passes the result of an attempt on, and records a refusal by a rate limit. */
  async recordLockout<T>(subject: Omit<SignInFailure, 'action'>, attempt: Promise<T>): Promise<T> {
    try {
      return await attempt;
    } catch (error) {
      if (error instanceof TooManyRequests) this.record({ action: 'account.locked_out', ...subject });
      throw error;
    }
  }

  /** Resolves once all failures so far are recorded. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0 || this.#unrecorded > 0) {
      const tallies = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const tally of tallies) await this.#store(tally);
      if (this.#unrecorded > 0) this.#logger.warn({ attempts: this.#unrecorded }, 'more sign-ins failed');
      this.#unrecorded = 0;
      await delay(GATHER_MS, undefined, { ref: false });
    }
    this.#writing = undefined;
  }

  async #store(tally: FailureTally): Promise<void> {
    const { action, userId: account, address, attempts } = tally;
    const level = action === 'account.locked_out' ? 'warn' : 'info';
    this.#logger[level]({ action, account, address, attempts }, 'sign-ins failed');
    try {
      await recordFailures(this.#db, tally);
    } catch (error) {
      this.#logger.warn({ reason: messageOf(error) }, 'failed sign-ins could not be recorded');
    }
  }
}
