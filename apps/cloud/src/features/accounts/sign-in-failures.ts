import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import { TooManyRequests } from '../../common/errors.ts';
import type { AuditAction } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { type FailureTally, recordFailures } from './record-failures.ts';

/** Failures that wait to be recorded, by account and network; those of further ones are counted in the log alone. */
const MAX_WAITING = 10_000;

/** Shortest time between two passes over what waits, in milliseconds. */
const GATHER_MS = 200;

export type FailureAction = Extract<AuditAction, 'account.sign_in_failed' | 'account.locked_out'>;

export interface SignInFailure {
  readonly action: FailureAction;
  /** Null when there is no account of the email address, which is not kept: people type passwords there. */
  readonly userId: number | null;
  readonly client: ClientAddress;
}

/**
 * Records failed sign-ins behind the requests: no answer waits for it, so that its time does not tell whether there is
 * an account. Failures of one account from one network are gathered and counted in one record an hour.
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
    this.#writing ??= this.#write();
  }

  /** Passes an attempt on, and notes when it is refused because there were too many. */
  async recordLockout<T>(who: Omit<SignInFailure, 'action'>, attempt: Promise<T>): Promise<T> {
    try {
      return await attempt;
    } catch (error) {
      if (error instanceof TooManyRequests) this.record({ action: 'account.locked_out', ...who });
      throw error;
    }
  }

  /** Waits until everything that was noted is recorded. */
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
