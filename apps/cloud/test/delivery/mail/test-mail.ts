import type { Locale } from '@heliograph/contracts';
import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import { type Logger, ManualClock, silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { MailConfig } from '../../../src/common/config/env.ts';
import { UnsubscribeTokens } from '../../../src/common/secrets/unsubscribe-token.ts';
import { type Database, openDatabase } from '../../../src/db/open.ts';
import { DueWork } from '../../../src/delivery/due-work.ts';
import { type MailJob, MailService } from '../../../src/delivery/mail/service.ts';
import { MAIL_TIMING, type MailTiming } from '../../../src/delivery/mail/timing.ts';
import { cloudDatabase } from '../../test-cloud.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
export const CLOUD_URL = 'https://cloud.example.org';

export const FROM = { name: 'Solar Service', address: 'mail@sender.example' };

/** Patience for a mail that passes through the queue, in milliseconds. */
export const SOON = { interval: 20, timeout: 60_000 };

/** Retries without a wait. */
export const FAST: MailTiming = { ...MAIL_TIMING, retries: { waitsMs: [0], jitter: 0 }, stopMs: 200 };

/** How often due mails are looked for, in milliseconds. */
const LOOK_INTERVAL_MS = 20;

export interface TestMailOptions {
  readonly timing?: MailTiming;
  readonly logger?: Logger;
}

export interface AccountOptions {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly locale?: Locale;
  readonly staff?: boolean;
  readonly confirmed?: boolean;
  readonly password?: string | null;
  /** The organization whose customer it is. */
  readonly organizationId?: number;
}

/** A mail service whose queue is being sent. */
export type SendingService = MailService & { stopSending(): Promise<void> };

/** A database with accounts, and mail services on it. */
export class TestMail implements AsyncDisposable {
  readonly db: Database;
  readonly clock: ManualClock;
  readonly databaseUrl: string;
  readonly #undo: AsyncDisposableStack;
  readonly #started: { stop(): Promise<void> }[] = [];
  #count = 0;

  constructor(db: Database, clock: ManualClock, databaseUrl: string, undo: AsyncDisposableStack) {
    this.db = db;
    this.clock = clock;
    this.databaseUrl = databaseUrl;
    this.#undo = undo;
  }

  /** Starts a mail service; several share the queue. */
  async service(mail: MailConfig, options: TestMailOptions = {}): Promise<SendingService> {
    const service = this.idleService(mail, options);
    const { logger = silentLogger } = options;
    const { db, clock } = this;
    const work = new DueWork({
      ...{ db, clock, logger, works: service.works(), lookIntervalMs: LOOK_INTERVAL_MS },
    });
    this.#started.push(work);
    await work.start();
    return Object.assign(service, { stopSending: () => work.stop() });
  }

  /** A mail service that queues mails and sends none. */
  idleService(mail: MailConfig, { timing = FAST, logger = silentLogger }: TestMailOptions = {}): MailService {
    const { db, clock } = this;
    return new MailService({
      db,
      mail,
      cloudUrl: () => CLOUD_URL,
      unsubscribeTokens: new UnsubscribeTokens({ used: 'secret of the tests', accepted: undefined }),
      clock,
      logger,
      timing,
    });
  }

  /** Running services would take the mails of the next test. */
  async stopServices(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((work) => work.stop()));
  }

  /** The mails that the mailbox has for an address. */
  mailbox(recipient: string): Promise<{ subject: string }[]> {
    return this.db
      .selectFrom('mailbox_messages')
      .select('subject')
      .where('recipient', '=', recipient)
      .execute();
  }

  /** Resolves once no mail waits or is being sent. */
  async settled(): Promise<void> {
    const waiting = sql`select from deliveries where due_at is not null`;
    await expect
      .poll(async () => (await waiting.execute(this.db)).rows.length, { interval: 10, timeout: 60_000 })
      .toBe(0);
  }

  async account(options: AccountOptions = {}): Promise<{ id: number; email: string }> {
    const { email = `reader-${++this.#count}@example.org`, confirmed = true } = options;
    const { id } = await this.db
      .insertInto('users')
      .values({
        // Former releases stored others, too.
        email: email as CanonicalEmail,
        first_name: options.firstName ?? 'Ada',
        last_name: options.lastName ?? 'Example',
        locale: options.locale ?? 'en',
        staff: options.staff ?? false,
        confirmed_at: confirmed ? new Date(NOW) : null,
        password_hash: options.password === undefined ? 'a hash' : options.password,
        organization_id: options.organizationId ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, email };
  }

  async organization(
    values: { name?: string; color1?: string; cloud_host?: string; cloud_host_vetted?: boolean } = {},
  ): Promise<number> {
    const { id } = await this.db
      .insertInto('organizations')
      .values({ name: `Organization ${++this.#count}`, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** @returns the address of a new account, after the change */
  async with(change: (userId: number) => Promise<unknown>): Promise<string> {
    const { id, email } = await this.account();
    await change(id);
    return email;
  }

  async employ(userId: number, organizationId: number): Promise<void> {
    await this.db
      .insertInto('organization_members')
      .values({ organization_id: organizationId, user_id: userId, role: 'member' })
      .execute();
  }

  /** @returns its id */
  async site(
    ownerId: number,
    organizationId: number | null = null,
    name: string | null = null,
  ): Promise<number> {
    const { id } = await this.db
      .insertInto('sites')
      .values({ owner_id: ownerId, organization_id: organizationId, name, description: null, region: 'us' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Makes an account a member of another account's site in an organization. */
  async siteMember(userId: number, organizationId: number): Promise<void> {
    const site_id = await this.site((await this.account()).id, organizationId);
    await this.db.insertInto('site_members').values({ site_id, user_id: userId, role: 'member' }).execute();
  }

  /** The content of the queue, including mails that were sent. */
  async queued(): Promise<string> {
    return JSON.stringify(await this.db.selectFrom('deliveries').selectAll().execute());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopServices();
    await this.#undo.disposeAsync();
  }
}

export async function startTestMail(): Promise<TestMail> {
  await using undo = new AsyncDisposableStack();
  const database = await cloudDatabase();
  undo.defer(() => database.drop());
  const { db, close } = openDatabase(database.url, () => undefined);
  undo.defer(close);
  return new TestMail(db, new ManualClock(NOW), database.url, undo.move());
}

/** Queues mails as a request does: in a transaction that commits. */
export async function enqueue(
  db: Database,
  service: MailService,
  ...jobs: readonly MailJob[]
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const job of jobs) await service.enqueue(tx, job);
  });
}
