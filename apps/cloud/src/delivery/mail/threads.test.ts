import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { TestMailServer } from '../../../test/delivery/mail/mail-server.ts';
import { enqueue, FROM, SOON, startTestMail, type TestMail } from '../../../test/delivery/mail/test-mail.ts';
import { Factory } from '../../../test/factory.ts';
import type { MailJob } from './service.ts';

let mails: TestMail;
let make: Factory;
let reader: { readonly id: number; readonly email: string };
let siteId: number;
beforeAll(async () => {
  mails = await startTestMail();
  make = new Factory(mails.db, mails.clock);
  reader = await mails.account();
  siteId = await mails.site(reader.id, null, 'Barn');
});
afterEach(() => mails.stopServices());
afterAll(() => mails?.[Symbol.asyncDispose]());

const about = () => ({ userId: reader.id, organizationId: null });

const ticketJob = (ticketId: number, event: 'received' | 'replied' | 'resolved'): MailJob => ({
  ...about(),
  ...{ kind: 'ticket', reader: 'requester', event, ticketId, messageId: null },
});

const orderJob = (orderId: number, event: 'placed' | 'paid' | 'shipped'): MailJob => ({
  ...about(),
  ...{ kind: 'order', event, orderId, amount: null },
});

const sessionJob = (sessionId: number, event: 'asked' | 'opened' | 'ended'): MailJob => ({
  ...about(),
  ...{ kind: 'recovery', event, sessionId },
});

/** A mail about alerts that begin and that are over. */
const alertsJob = async (
  ...alerts: readonly (readonly [number, 'raised' | 'cleared'])[]
): Promise<MailJob> => {
  const at = new Date(mails.clock.now());
  const rows = await mails.db
    .insertInto('notifications')
    .values(
      alerts.map(([id, kind]) => ({
        ...{
          user_id: reader.id,
          channel: 'mail' as const,
          push_subscription_id: null,
          kind,
          alert_id: String(id),
        },
        ...{
          outage_id: null,
          state: 'sent' as const,
          due_at: at,
          created_at: at,
          sent_at: at,
          failure: null,
        },
      })),
    )
    .returning('id')
    .execute();
  return { ...about(), kind: 'alerts', notificationIds: rows.map(({ id }) => id) };
};

/** The thread of each mail, in the order of the jobs; undefined for a mail of its own. */
async function threadsOf(...jobs: readonly MailJob[]): Promise<(string | undefined)[]> {
  await using server = await new TestMailServer({}).start();
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
  const threads: (string | undefined)[] = [];
  const ids = new Set<string | undefined>();
  for (const job of jobs) {
    await enqueue(mails.db, service, job);
    await expect.poll(() => server.to(reader.email), SOON).toHaveLength(threads.length + 1);
    const mail = server.to(reader.email).at(-1)?.mail;
    ids.add(mail?.messageId);
    expect(mail?.inReplyTo).toBe(mail?.references);
    threads.push(mail?.inReplyTo);
  }
  // Each is a mail of its own, and none is the mail that the others answer.
  expect(ids.size).toBe(jobs.length);
  expect(threads.filter((thread) => ids.has(thread))).toEqual([]);
  return threads;
}

it('a mail about a request is in the conversation of that request alone', async () => {
  const [first, second] = [await make.ticket(reader.id), await make.ticket(reader.id)];
  const [received, replied, resolved, other] = await threadsOf(
    ticketJob(first, 'received'),
    ticketJob(first, 'replied'),
    ticketJob(first, 'resolved'),
    ticketJob(second, 'received'),
  );
  expect(received).toMatch(/^<[\w.-]+@sender\.example>$/);
  expect([replied, resolved]).toEqual([received, received]);
  expect(other).toMatch(/@sender\.example>$/);
  expect(other).not.toBe(received);
});

it('a mail about an order or a support session is in the conversation of it alone', async () => {
  const order = await make.order(null, reader.id);
  const session = await make.recoverySession(siteId, null);
  const [placed, paid, requested, ended] = await threadsOf(
    orderJob(order, 'placed'),
    orderJob(order, 'paid'),
    sessionJob(session, 'asked'),
    sessionJob(session, 'ended'),
  );
  expect(placed).toMatch(/^<[\w.-]+@sender\.example>$/);
  expect(paid).toBe(placed);
  expect(requested).toMatch(/^<[\w.-]+@sender\.example>$/);
  expect(ended).toBe(requested);
  expect(requested).not.toBe(placed);
});

it('the mail about the end of an alert follows that about its beginning; one about several alerts is alone', async () => {
  const first = await make.alert(siteId);
  const second = await make.alert(siteId);
  const third = await make.alert(siteId);
  const [raised, cleared, both, other] = await threadsOf(
    await alertsJob([first, 'raised']),
    await alertsJob([first, 'cleared']),
    await alertsJob([second, 'raised'], [third, 'raised']),
    await alertsJob([second, 'cleared']),
  );
  expect(raised).toMatch(/^<[\w.-]+@sender\.example>$/);
  expect(cleared).toBe(raised);
  expect(both).toBeUndefined();
  expect(other).not.toBe(raised);
});

it('a mail about the account itself is in no conversation', async () => {
  expect(await threadsOf({ kind: 'reset', email: reader.email, organizationId: null })).toEqual([undefined]);
});
