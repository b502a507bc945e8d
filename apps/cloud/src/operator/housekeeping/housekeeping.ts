import { EVENT_DAYS, HISTORY_YEARS } from '@heliograph/contracts';
import type { Clock, Logger } from '@heliograph/kit';
import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { IDEMPOTENCY_MS } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { KEY_PURPOSES, PUBLISHED_AFTER_MS } from '../../signing-keys/schedule.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Retention after their expiry. */
const ONE_TIME_TOKEN_RETENTION_MS = DAY_MS;

/** Retention after expiry or revocation. */
const TOKEN_RETENTION_MS = 90 * DAY_MS;

/** Retention of grants to third parties after their end. */
const GRANT_RETENTION_MS = 90 * DAY_MS;

/** Agents register themselves, and again when they are unknown: retention of unused agents and of agents in use. */
const UNUSED_AGENT_RETENTION_MS = DAY_MS;
const AGENT_RETENTION_MS = 90 * DAY_MS;

/** Addresses that accounts signed in from. */
const ADDRESS_RETENTION_MS = 180 * DAY_MS;

/** Failed sign-ins; all other audit records are retained for ever. */
const SIGN_IN_FAILURE_RETENTION_MS = 180 * DAY_MS;

/** Notifications of payment providers, which repeat one for some days. */
const PAYMENT_EVENT_RETENTION_MS = 60 * DAY_MS;

/** Mails that a development system shows. */
const MAILBOX_SIZE = 1_000;

/** Days of sites whose owners agreed that they are kept. */
const HISTORY_RETENTION_MS = HISTORY_YEARS * 365.25 * DAY_MS;

/** Retention of alerts after they cleared. */
const ALERT_RETENTION_MS = 365 * DAY_MS;

/** Mails that were sent or given up. */
const DELIVERY_RETENTION_MS = DAY_MS;

/** The log of messages to people. */
const NOTIFICATION_RETENTION_MS = 30 * DAY_MS;

/** A condition on rows that housekeeping deletes. */
interface ExpiredRows {
  readonly table: keyof Schema;
  readonly condition: RawBuilder<SqlBool>;
}

/** Every condition has an index, except those on counters and keys, which are small tables. */
function expiredRowsAt(nowMs: number): readonly ExpiredRows[] {
  const ago = (ms: number) => new Date(nowMs - ms);
  return [
    { table: 'one_time_tokens', condition: sql`expires_at < ${ago(ONE_TIME_TOKEN_RETENTION_MS)}` },
    { table: 'email_changes', condition: sql`expires_at < ${ago(0)}` },
    { table: 'employment_invitations', condition: sql`expires_at < ${ago(0)}` },
    { table: 'tokens', condition: sql`expires_at < ${ago(TOKEN_RETENTION_MS)}` },
    { table: 'tokens', condition: sql`revoked_at < ${ago(TOKEN_RETENTION_MS)}` },
    { table: 'oauth_records', condition: sql`expires_at < ${ago(0)}` },
    // A grant that was revoked expires within days anyhow.
    { table: 'oauth_grants', condition: sql`expires_at < ${ago(GRANT_RETENTION_MS)}` },
    {
      table: 'oauth_clients',
      condition: sql`kind = 'agent' and last_used_at is null and created_at < ${ago(UNUSED_AGENT_RETENTION_MS)}`,
    },
    { table: 'oauth_clients', condition: sql`kind = 'agent' and last_used_at < ${ago(AGENT_RETENTION_MS)}` },
    { table: 'site_token_sources', condition: sql`issued_at < ${ago(SITE_TOKEN_LIFETIME_MS)}` },
    { table: 'site_token_revocations', condition: sql`revoked_at < ${ago(SITE_TOKEN_LIFETIME_MS)}` },
    { table: 'site_revocations', condition: sql`revoked_at < ${ago(SITE_TOKEN_LIFETIME_MS)}` },
    { table: 'idempotent_requests', condition: sql`created_at < ${ago(IDEMPOTENCY_MS)}` },
    {
      table: 'payment_events',
      condition: sql`received_at < ${ago(PAYMENT_EVENT_RETENTION_MS)}`,
    },
    // Uploads that no message has, and attachments of tickets that closed long ago.
    { table: 'ticket_attachments', condition: sql`expires_at < ${ago(0)}` },
    { table: 'data_exports', condition: sql`expires_at < ${ago(0)}` },
    { table: 'site_history_days', condition: sql`day < ${dateOf(nowMs - HISTORY_RETENTION_MS)}::date` },
    { table: 'events', condition: sql`at < ${ago(EVENT_DAYS * DAY_MS)}` },
    { table: 'alerts', condition: sql`cleared_at < ${ago(ALERT_RETENTION_MS)}` },
    { table: 'outages', condition: sql`ended_at < ${ago(ALERT_RETENTION_MS)}` },
    { table: 'device_proofs', condition: sql`expires_at < ${ago(0)}` },
    { table: 'registration_codes', condition: sql`expires_at < ${ago(0)}` },
    { table: 'passkey_challenges', condition: sql`expires_at < ${ago(0)}` },
    { table: 'bot_check_solutions', condition: sql`expires_at < ${ago(0)}` },
    { table: 'known_addresses', condition: sql`seen_at < ${ago(ADDRESS_RETENTION_MS)}` },
    { table: 'sign_in_failures', condition: sql`since < ${ago(DAY_MS)}` },
    {
      table: 'audit_events',
      condition: sql`action in ('account.sign_in_failed', 'account.locked_out')
        and at < ${ago(SIGN_IN_FAILURE_RETENTION_MS)}`,
    },
    ...KEY_PURPOSES.map((purpose) => ({
      table: 'signing_keys' as const,
      condition: sql<SqlBool>`purpose = ${purpose} and exists (select from signing_keys as successor
        where successor.purpose = ${purpose} and successor.signs_from > signing_keys.signs_from
          and successor.signs_from < ${ago(PUBLISHED_AFTER_MS[purpose])})`,
    })),
    // The library that counts dates its counters itself, in milliseconds of real time.
    { table: 'rate_limits', condition: sql`expire < extract(epoch from now()) * 1000` },
    {
      table: 'mailbox_messages',
      condition: sql`id <= (select id from mailbox_messages order by id desc offset ${MAILBOX_SIZE} limit 1)`,
    },
    { table: 'deliveries', condition: sql`ended_at < ${ago(DELIVERY_RETENTION_MS)}` },
    { table: 'notifications', condition: sql`created_at < ${ago(NOTIFICATION_RETENTION_MS)}` },
  ];
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Rows deleted in one transaction: few, so that requests do not wait for it. */
const BATCH = 1_000;

const FIRST_RUN_MS = 60_000;

const INTERVAL_MS = 60 * 60 * 1000;

/** Id of the advisory lock that lets one process delete at a time; an arbitrary constant. */
const LOCK_ID = 4_871_204;

/** Work that is due by time, such as the end of unpaid orders. Several processes may do it at once. */
export type Chore = () => Promise<unknown>;

/** Deletes expired rows hourly, in small batches, in one of several processes at a time; and does the chores. */
export class Housekeeping {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #chores: readonly Chore[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(db: Database, clock: Clock, logger: Logger, chores: readonly Chore[] = []) {
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
    this.#chores = chores;
  }

  /** @param afterMs leaves a process that has just started to its requests */
  start(afterMs = FIRST_RUN_MS): void {
    this.#schedule(afterMs);
  }

  /** Resolves after the current batch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Deletes every expired row, unless another process does, and does the chores. */
  async run(): Promise<void> {
    for (const expired of expiredRowsAt(this.#clock.now())) {
      let deleted = BATCH;
      while (deleted === BATCH && !this.#stopped) deleted = await this.#deleteBatch(expired);
    }
    for (const chore of this.#chores) await this.#do(chore);
  }

  /** A chore that fails leaves the others to be done. */
  async #do(chore: Chore): Promise<void> {
    if (this.#stopped) return;
    try {
      await chore();
    } catch (err) {
      this.#logger.warn({ err }, 'work that is due could not be done; the next try is in an hour');
    }
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#runAndReschedule();
    }, delayMs);
    this.#timer.unref();
  }

  async #runAndReschedule(): Promise<void> {
    try {
      await this.run();
    } catch (err) {
      this.#logger.warn({ err }, 'what has expired could not be deleted; the next try is in an hour');
    }
    if (!this.#stopped) this.#schedule(INTERVAL_MS);
  }

  /** @returns the number of rows deleted; 0 while another process holds the lock */
  #deleteBatch({ table, condition }: ExpiredRows): Promise<number> {
    return this.#db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${LOCK_ID}) as free`.execute(tx);
      if (!rows[0]?.free) return 0;
      // Rows that a request is writing are left for the next run, so that neither waits for the other.
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where ${condition} limit ${BATCH} for update skip locked))`.execute(
        tx,
      );
      return Number(numAffectedRows);
    });
  }
}
