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
    where datname = current_database() and application_name = 'heliograph-cloud' and pid <> pg_backend_pid()`.execute(
    mails.db,
  );
  const { email } = await mails.account();
  // The first attempt may find a connection of whose end the pool does not know yet.
  await vi.waitFor(() => enqueue(mails.db, service, reset(email)), SOON);
  await mails.settled();
  expect(await mails.mailbox(email)).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"level":40')).length).toBeLessThanOrEqual(1);
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
  const stopped = service.stopSending();
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
  const idle = mails.idleService(config);
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

it('a mail that could not be sent is tried again after five to ten seconds', async () => {
  await using server = await new TestMailServer({ onRecipient: () => '451 later' }).start();
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { timing: MAIL_TIMING });
  const { email } = await mails.account();
  await enqueue(mails.db, service, reset(email));
  const waiting = () =>
    mails.db
      .selectFrom('deliveries')
      .select(['due_at', 'failure'])
      .where('failing_since', 'is not', null)
      .execute();
  await expect.poll(waiting, SOON).toHaveLength(1);
  const [mail] = await waiting();
  const waitMs = (mail?.due_at?.getTime() ?? 0) - mails.clock.now();
  expect(waitMs).toBeGreaterThanOrEqual(5_000);
  expect(waitMs).toBeLessThanOrEqual(10_000);
  expect(mail?.failure).toContain('451');
});

it.each([
  ['of no kind', '{}'],
  ['of a kind that this release does not have', '{"kind": "telepathy", "userId": 1, "organizationId": null}'],
  ['that is no object', '"reset"'],
  ['of nothing', 'null'],
])('a mail %s waits, and holds up no other', async (_what, payload) => {
  await using server = await new TestMailServer({}).start();
  const config = { kind: 'smtp', url: server.url, from: FROM } as const;
  const idle = mails.idleService(config);
  const now = new Date(mails.clock.now());
  const { id } = await mails.db
    .insertInto('deliveries')
    .values({ kind: 'mail', tenant: 0, lane: 0, payload, due_at: now, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { email } = await mails.account();
  await enqueue(mails.db, idle, reset(email));
  const service = await mails.service(config, { timing: MAIL_TIMING });
  await expect.poll(() => server.to(email).length, SOON).toBe(1);
  const poisoned = () =>
    mails.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await expect.poll(async () => (await poisoned()).failing_since, SOON).not.toBeNull();
  await service.stopSending();
  expect(await poisoned()).toMatchObject({ outcome: null, lease_until: null, attempts: 1 });
  await mails.db.deleteFrom('deliveries').where('id', '=', id).execute();
});
