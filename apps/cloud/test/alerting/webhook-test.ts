import { createHmac } from 'node:crypto';
import type { Webhook, WebhookWithSecret } from '@heliograph/contracts';
import { expect, test } from 'vitest';
import { endOfFeed } from '../../src/alerting/events/service.ts';
import { appendEvents } from '../../src/db/events.ts';
import { type HttpsReceiver, type ReceivedRequest, startHttpsReceiver } from '../https-receiver.ts';
import { type Scene, setScene } from '../sites/members/scene.ts';
import { startTestCloud, type TestCloud } from '../test-cloud.ts';

const MINUTE_MS = 60_000;

/** Waits for something that the cloud does by itself, such as sending. */
export async function eventually(check: () => unknown): Promise<void> {
  const isSo = async (): Promise<boolean> => {
    await check();
    return true;
  };
  await expect.poll(isSo, { interval: 20 }).toBe(true);
}

/** The header `webhook-signature` that a message has by one secret. */
export function signatureOf({ headers, body }: ReceivedRequest, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/**
 * Tests of webhooks: each file has a cloud, a receiver and people, and each test has no webhooks of the others. One that changes
 * what a person may do makes a person of its own.
 */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from the pattern.
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startHttpsReceiver();
    onCleanup(() => receiver[Symbol.asyncDispose]());
    return receiver;
  })
  .extend('cloud', { scope: 'file' }, async ({ receiver }, { onCleanup }) => {
    const cloud = await startTestCloud({}, undefined, { internet: receiver.internet, lookIntervalMs: 50 });
    onCleanup(() => cloud[Symbol.asyncDispose]());
    return cloud;
  })
  .extend('people', { scope: 'file' }, ({ cloud }) => setScene(cloud))
  .extend('scene', async ({ cloud, receiver, people }) => {
    await cloud.db.deleteFrom('webhooks').execute();
    receiver.reset();
    return people;
  })
  .extend('webhooks', ({ cloud, receiver, scene }) => webhooksOf(cloud, receiver, scene));

function webhooksOf(cloud: TestCloud, receiver: HttpsReceiver, scene: Scene) {
  /** @param answers the status of each path; the others take what they get */
  const answerWith = (answers: Readonly<Record<string, number>>): void => {
    receiver.answer = (path) => answers[path] ?? 200;
  };

  const as = (token: string) => ({
    make: async (path: string, body: object = {}) => {
      const answer = await cloud.call<WebhookWithSecret>('POST /api/v1/webhooks', {
        token,
        body: { name: 'Mine', url: `https://localhost${path}`, ...body },
      });
      expect(answer.status).toBe(201);
      return answer.body;
    },
    show: async (id: number) => (await cloud.call<Webhook>(`GET /api/v1/webhooks/${id}`, { token })).body,
  });

  /** Stores a webhook that is sent from now on, as `as` makes one, without a request and a mail. */
  const put = async (owner: Parameters<TestCloud['make']['webhook']>[0], path: string) => {
    const { transaction } = await endOfFeed(cloud.db, cloud.clock.now());
    return cloud.make.webhook(owner, { url: `https://localhost${path}`, enabled: true, transaction });
  };

  const eventOf = (n: number, siteId = scene.site) => ({
    ...{ type: 'alert.raised' as const, at: new Date(cloud.clock.now()), siteId },
    ...{ organizationId: scene.organization, data: { n } },
  });

  const raise = (n: number, siteId = scene.site) => appendEvents(cloud.db, [eventOf(n, siteId)]);

  const numbersAt = (path: string) =>
    receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(`${body}`).data.n);

  const until = (path: string, numbers: readonly number[]) =>
    eventually(() => expect(numbersAt(path)).toEqual(numbers));

  const rowOf = (id: number) =>
    cloud.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** All webhooks have sent what there was, so that only new events wake them. */
  const untilIdle = () =>
    eventually(async () => {
      const soon = new Date(cloud.clock.now() + MINUTE_MS);
      const busy = await cloud.db
        .selectFrom('webhooks')
        .select('id')
        .where('enabled', '=', true)
        .where((eb) => eb.or([eb('next_at', '<=', soon), eb('claimed_until', 'is not', null)]))
        .execute();
      expect(busy).toEqual([]);
    });

  const untilFailures = (id: number, failures: number) =>
    eventually(async () => {
      const row = await rowOf(id);
      expect([row.failures, row.claimed_until]).toEqual([failures, null]);
    });

  /** The receiver refused: the next try is so far away. */
  const untilFailing = (token: string, id: number) =>
    eventually(async () => expect((await as(token).show(id)).state).toBe('failing'));

  return {
    answerWith,
    as,
    put,
    eventOf,
    raise,
    numbersAt,
    until,
    rowOf,
    untilIdle,
    untilFailures,
    untilFailing,
  };
}
