import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ReceivedMail, type Refusal, TestMailServer } from '../../../test/delivery/mail/mail-server.ts';
import { recordingLogger } from '../../../test/delivery/mail/recording-logger.ts';
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

async function queueReset(service: Awaited<ReturnType<TestMail['service']>>): Promise<string> {
  const { email } = await mails.account();
  await enqueue(mails.db, service, { kind: 'reset', email, organizationId: null });
  return email;
}

it('a mail is delivered once after an outage of the mail server', async () => {
  // A port without a server.
  const gone = await new TestMailServer({}).start();
  const { port, url } = gone;
  await gone[Symbol.asyncDispose]();
  const { logger, lines } = recordingLogger();
  const service = await mails.service({ kind: 'smtp', url, from: FROM }, { logger });
  const email = await queueReset(service);
  await expect.poll(() => lines.join('\n'), SOON).toContain('ECONNREFUSED');

  await using server = await new TestMailServer({ port }).start();
  await expect.poll(() => server.to(email), SOON).toHaveLength(1);
  await expect.poll(() => lines.join('\n'), SOON).toContain('mails leave again');
  const after = await queueReset(service);
  await expect.poll(() => server.to(after), SOON).toHaveLength(1);
  expect(server.to(email)).toHaveLength(1);

  const warnings = lines.filter((line) => line.includes('"level":40'));
  expect(warnings).toHaveLength(1);
});

describe('a temporary failure of the mail server', () => {
  it.each<[string, Refusal]>([
    ['a temporary refusal', '451 4.7.1 greylisted'],
    ['a refusal of the sender', '554 5.7.1 relay access denied'],
    ['silence', 'silence'],
    ['a closed connection', 'hang up'],
  ])('a mail is sent again after %s at the recipient', async (_what, refusal) => {
    const refusals = [refusal, refusal];
    await using server = await new TestMailServer({ onRecipient: () => refusals.shift() }).start();
    // A deadline ends the silence alone: every other delivery has all the time it needs.
    const timing = refusal === 'silence' ? { ...FAST, deliveryMs: 2_000 } : FAST;
    const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { timing });
    const email = await queueReset(service);
    await expect.poll(() => server.to(email), SOON).toHaveLength(1);
    expect(refusals).toEqual([]);
  });

  it.each<[string, Refusal]>([
    ['a closed connection', 'hang up'],
    ['a refusal of the content', '554 5.6.0 not today'],
  ])('a mail is sent again under the same id after %s at its end', async (_what, refusal) => {
    const refusals = [refusal];
    const ids = new Set<string>();
    const onMail = ({ mail }: ReceivedMail) => {
      ids.add(mail.messageId ?? '');
      return refusals.shift();
    };
    await using server = await new TestMailServer({ onMail }).start();
    const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
    const email = await queueReset(service);
    await expect.poll(() => server.to(email), SOON).toHaveLength(1);
    expect(refusals).toEqual([]);
    expect([...ids]).toEqual([server.to(email)[0]?.mail.messageId]);
  });

  it('a delivery to a server that never greets is aborted at its deadline', async () => {
    await using silent = await listen();
    const { logger, lines } = recordingLogger();
    const timing = { ...FAST, deliveryMs: 200 };
    const service = await mails.service({ kind: 'smtp', url: silent.url, from: FROM }, { timing, logger });
    await queueReset(service);
    await expect.poll(() => lines.join('\n'), SOON).toContain('waits for another try');
    await service.stopSending();
  });
});

it('a recipient that the mail server permanently refuses is not retried, and not named in a log', async () => {
  let attempts = 0;
  const onRecipient = (address: string) => {
    if (!address.startsWith('gone')) return undefined;
    attempts += 1;
    return `550 5.1.1 <${address}> no such user`;
  };
  await using server = await new TestMailServer({ onRecipient }).start();
  const { logger, lines } = recordingLogger();
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM }, { logger });
  const { email } = await mails.account({ email: 'gone@nowhere.example' });
  await enqueue(mails.db, service, { kind: 'reset', email, organizationId: null });
  await expect.poll(() => lines.join('\n'), SOON).toContain('refuses the recipient');

  // The next mail is queued later, so a retry of the first one would precede it.
  const next = await queueReset(service);
  await expect.poll(() => server.to(next), SOON).toHaveLength(1);
  expect(attempts).toBe(1);
  expect(lines.join('\n')).toContain('nowhere.example');
  expect(lines.join('\n')).not.toContain('gone@');
});

/** A server that accepts connections and never greets. */
async function listen(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}
