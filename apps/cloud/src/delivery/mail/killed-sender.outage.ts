import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Refusal, TestMailServer } from '../../../test/delivery/mail/mail-server.ts';
import {
  enqueue,
  FAST,
  FROM,
  SOON,
  startTestMail,
  type TestMail,
} from '../../../test/delivery/mail/test-mail.ts';

vi.setConfig({ testTimeout: 120_000 });

let mails: TestMail;
beforeAll(async () => {
  mails = await startTestMail();
});
afterEach(() => mails.stopServices());
afterAll(() => mails?.[Symbol.asyncDispose]());

/** A process that sends mails until it is killed. */
function startSender(url: string): ChildProcess {
  const entry = join(import.meta.dirname, '../../../test/delivery/mail/fixtures/sender.ts');
  return spawn(process.execPath, [entry, mails.databaseUrl, url], { stdio: 'inherit' });
}

it('a mail whose process is killed while it sends is sent by another one', async () => {
  let attempts = 0;
  const onRecipient = (): Refusal | undefined => (++attempts === 1 ? 'silence' : undefined);
  await using server = await new TestMailServer({ onRecipient }).start();
  const doomed = startSender(server.url);
  const { email } = await mails.account();
  const timing = { ...FAST, leaseMs: 2_000 };
  const idle = mails.idleService({ kind: 'mailbox' }, { timing });
  await enqueue(mails.db, idle, { kind: 'reset', email, organizationId: null });
  await expect.poll(() => attempts, SOON).toBe(1);
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');

  await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { timing });
  await expect.poll(() => server.to(email), SOON).toHaveLength(1);
});

it('a mail about alerts whose process is killed after the mail server took it is sent again, as a repetition', async () => {
  let taken = 0;
  const onMail = async (): Promise<undefined> => {
    if (++taken === 1) await new Promise(() => undefined);
  };
  await using server = await new TestMailServer({ onMail }).start();
  const doomed = startSender(server.url);
  const timing = { ...FAST, leaseMs: 2_000 };
  const idle = mails.idleService({ kind: 'mailbox' }, { timing });
  const { email, id: userId } = await mails.account();
  const { id } = await mails.db
    .insertInto('notifications')
    .values({
      ...{ user_id: userId, channel: 'mail', kind: 'test', state: 'sent' },
      ...{ due_at: new Date(), created_at: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(mails.db, idle, { kind: 'alerts', userId, organizationId: null, notificationIds: [id] });
  await expect.poll(() => taken, SOON).toBe(1);
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');

  await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { timing });
  await expect.poll(() => server.to(email), SOON).toHaveLength(1);
  expect(server.to(email)[0]?.mail.subject).toMatch(/ \(sent again\)$/);
});
