import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ReceivedMail, TestMailServer } from '../../../test/delivery/mail/mail-server.ts';
import { recordingLogger } from '../../../test/delivery/mail/recording-logger.ts';
import {
  enqueue,
  FAST,
  FROM,
  SOON,
  startTestMail,
  type TestMail,
} from '../../../test/delivery/mail/test-mail.ts';
import { MAIL_TIMING } from './timing.ts';

vi.setConfig({ testTimeout: 120_000 });

let mails: TestMail;
beforeAll(async () => {
  mails = await startTestMail();
});
afterEach(() => mails.stopServices());
afterAll(() => mails?.[Symbol.asyncDispose]());

const reset = (email: string) => ({ kind: 'reset', email, organizationId: null }) as const;
const addressesOf = (received: readonly ReceivedMail[]) =>
  received.flatMap(({ recipients }) => recipients).sort();

it('several processes send each mail once', async () => {
  await using server = await new TestMailServer({}).start();
  const config = { kind: 'smtp', url: server.url, from: FROM } as const;
  const [first, second] = await Promise.all([mails.service(config), mails.service(config)]);
  const accounts = await Promise.all(Array.from({ length: 50 }, () => mails.account()));
  await Promise.all(
    accounts.map(({ email }, index) => enqueue(mails.db, index % 2 ? first : second, reset(email))),
  );
  await mails.settled();
  expect(addressesOf(server.received)).toEqual(accounts.map(({ email }) => email).sort());
});

it('the queue continues after PostgreSQL has closed all connections', async () => {
  const { logger, lines } = recordingLogger();
  const service = await mails.service({ kind: 'mailbox' }, { logger });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'heliograph-mail'`.execute(mails.db);
  const { email } = await mails.account();
  // The first attempt may find a connection of whose end the pool does not know yet.
  await vi.waitFor(() => enqueue(mails.db, service, reset(email)), SOON);
  await mails.settled();
  expect(await mails.mailbox(email)).toHaveLength(1);
  expect(lines.filter((line) => line.includes('the mail queue is in trouble')).length).toBeLessThanOrEqual(1);
});

it('stop waits for the mail in delivery', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const onMail = async (): Promise<undefined> => {
    reach();
    await answered;
  };
  await using server = await new TestMailServer({ onMail }).start();
  const timing = { ...FAST, stopMs: MAIL_TIMING.stopMs };
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { timing });
  const { email } = await mails.account();
  await enqueue(mails.db, service, reset(email));
  await reached;
  const stopped = service.stop();
  answer();
  await stopped;
  expect(server.to(email)).toHaveLength(1);
  await mails.settled();
});

it('a mail that takes long holds up no other', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const accounts = await Promise.all(Array.from({ length: 12 }, () => mails.account()));
  const slow = accounts[0]?.email ?? '';
  const onMail = async ({ recipients }: ReceivedMail): Promise<undefined> => {
    if (recipients.includes(slow)) await answered;
  };
  await using server = await new TestMailServer({ onMail }).start();
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
  for (const { email } of accounts) await enqueue(mails.db, service, reset(email));
  await expect.poll(() => server.received.length, SOON).toBe(11);
  expect(server.to(slow)).toHaveLength(0);
  answer();
  await expect.poll(() => server.to(slow).length, SOON).toBe(1);
});

it('mails that people wait for, and those about critical alerts, leave before those about other alerts', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const reached: string[] = [];
  const onMail = async ({ recipients }: ReceivedMail): Promise<undefined> => {
    reached.push(...recipients);
    await answered;
  };
  await using server = await new TestMailServer({ onMail }).start();
  const config = { kind: 'smtp', url: server.url, from: FROM } as const;
  const idle = await mails.idleService(config);
  const accounts = await Promise.all(Array.from({ length: 12 }, () => mails.account()));
  const grave = accounts.at(-1);
  for (const { id: userId } of accounts) {
    const { rows } = await sql<{
      id: string;
    }>`insert into notifications (user_id, channel, kind, state, due_at, created_at)
      values (${userId}, 'mail', 'test', 'sent', now(), now()) returning id`.execute(mails.db);
    const notificationIds = rows.map(({ id }) => id);
    await enqueue(mails.db, idle, {
      kind: 'alerts',
      userId,
      organizationId: null,
      notificationIds,
      isCritical: userId === grave?.id,
    });
  }
  const { email } = await mails.account();
  await enqueue(mails.db, idle, reset(email));
  await mails.service(config);
  await expect.poll(() => reached.length, SOON).toBe(4);
  expect(reached).toEqual(expect.arrayContaining([email, grave?.email]));
  answer();
  await mails.settled();
});

it('the waits between retries grow, and last for three days at least', async () => {
  const { firstRetryS, longestRetryS, retries } = MAIL_TIMING;
  let leastS = 0;
  for (let retry = 0; retry < retries; retry++) leastS += Math.min(longestRetryS, firstRetryS * 2 ** retry);
  expect(leastS).toBeGreaterThan(3 * 24 * 60 * 60);

  await using server = await new TestMailServer({ onRecipient: () => '451 later' }).start();
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { timing: MAIL_TIMING });
  const { email } = await mails.account();
  await enqueue(mails.db, service, reset(email));
  const waits = sql<{ seconds: number; retry_limit: number }>`
    select extract(epoch from start_after - started_on)::float as seconds, retry_limit from jobs.job
    where state = 'retry' and data->>'email' = ${email}`;
  await expect.poll(async () => (await waits.execute(mails.db)).rows, SOON).toHaveLength(1);
  const [wait] = (await waits.execute(mails.db)).rows;
  expect(wait).toMatchObject({ retry_limit: retries });
  // Counted from the start of the failed try, which ends before the poll does: the speed of this test does not matter.
  expect(wait?.seconds).toBeGreaterThanOrEqual(firstRetryS);
  expect(wait?.seconds).toBeLessThanOrEqual(2 * firstRetryS + SOON.timeout / 1000);
});
