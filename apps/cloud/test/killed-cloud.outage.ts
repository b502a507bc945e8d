import { type ChildProcess, fork } from 'node:child_process';
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestDatabase } from '@heliograph/dev/testing';
import { ManualClock } from '@heliograph/kit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { NotificationSecrets } from '../src/alerting/notifications/secrets.ts';
import { WebhookSecrets } from '../src/alerting/webhooks/secrets.ts';
import { appendEvents } from '../src/db/events.ts';
import { openDatabase } from '../src/db/open.ts';
import { Factory } from './factory.ts';
import { type HttpsReceiver, startHttpsReceiver } from './https-receiver.ts';
import { CLOUD_SECRET, cloudDatabase, NOW, startTestCloud } from './test-cloud.ts';

const PATIENCE = { timeout: 60_000, interval: 20 };

/** Longer than a message belongs to a process that is silent. */
const LEASE_MS = 61_000;

const SECRET = { used: CLOUD_SECRET, accepted: undefined };

let receiver: HttpsReceiver;
let database: TestDatabase;
let killed: ChildProcess | undefined;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
});
afterAll(() => receiver[Symbol.asyncDispose]());
beforeEach(async () => {
  receiver.reset();
  database = await cloudDatabase();
  return async () => {
    killed?.kill('SIGKILL');
    await database.drop();
  };
});

/** An alert of a site whose owner has a webhook, an ntfy topic and a browser. */
async function raise(): Promise<void> {
  const { db, close } = openDatabase(database.url, () => undefined);
  const make = new Factory(db, new ManualClock(NOW));
  const { id: userId } = await make.user();
  const siteId = (await make.site({ ownerId: userId, name: 'Barn' })).id;
  const now = new Date(NOW);
  const browser = createECDH('prime256v1');
  await db
    .insertInto('push_subscriptions')
    .values({
      ...{ user_id: userId, endpoint: 'https://localhost/push', label: 'Firefox', created_at: now },
      ...{ p256dh: browser.generateKeys(), auth: randomBytes(16) },
    })
    .execute();
  const ntfy = { url: 'https://localhost/ntfy/home', token: null };
  await db
    .insertInto('notification_settings')
    .values({
      ...{ team_tags: [], escalation_minutes: null },
      ...{ user_id: userId, severity: 3, team_severity: null, outages: true, mail: false, digest: 'at_once' },
      ...{ quiet_from: null, quiet_until: null, time_zone: 'UTC', sealed_telegram: null },
      sealed_ntfy: new NotificationSecrets(db, SECRET).sealChannel(ntfy),
    })
    .execute();
  await db
    .insertInto('webhooks')
    .values({
      ...{
        user_id: userId,
        organization_id: null,
        name: 'Mine',
        url: 'https://localhost/webhook',
        types: [],
      },
      ...{ sealed_secret: new WebhookSecrets(SECRET).make().sealed, transaction: '0', event_id: '0' },
      ...{ position_at: now, next_at: now, created_at: now },
    })
    .execute();
  const alertId = await make.alert(siteId, {
    ...{ rule: 'fault', kind: 'complaint', severity: 3, topic: 'inverter_1/fault', detail: 'DC busbar' },
  });
  await appendEvents(db, [{ type: 'alert.raised', at: now, siteId, data: { alert_id: alertId, times: 1 } }]);
  await close();
}

function startDoomed(at: 'claim' | 'answer'): ChildProcess {
  const entry = join(import.meta.dirname, 'fixtures/killed-cloud.ts');
  killed = fork(entry, [database.url, String(receiver.port), at]);
  return killed;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const requestsAt = (path: string) => receiver.received.filter((one) => one.path === path);
const counts = () => ['/webhook', '/ntfy/', '/push'].map((path) => requestsAt(path).length);
const ntfyTexts = () => requestsAt('/ntfy/').map(({ body }) => JSON.parse(`${body}`).message);

it('messages of a process that was killed before it sent them are sent once by another one', async () => {
  await raise();
  const doomed = startDoomed('claim');
  let hosts = 0;
  doomed.on('message', () => hosts++);
  await expect.poll(() => hosts, PATIENCE).toBe(3);
  await kill(doomed);
  expect(receiver.received).toEqual([]);

  await using cloud = await startTestCloud({}, undefined, { internet: receiver.internet, database });
  cloud.clock.advance(LEASE_MS);
  await expect.poll(counts, PATIENCE).toEqual([1, 1, 1]);
  const outcomes = async () => [
    ...(await cloud.db.selectFrom('notifications').select(['state', 'attempts']).execute()),
    ...(await cloud.db.selectFrom('webhook_deliveries').select('outcome').execute()),
  ];
  const sent = { state: 'sent', attempts: 2 };
  await expect.poll(outcomes, PATIENCE).toEqual([sent, sent, { outcome: 'delivered' }]);
  expect(counts()).toEqual([1, 1, 1]);
});

it('messages of a process that was killed before their answers are sent again, as repetitions', async () => {
  await raise();
  receiver.answer = () => new Promise(() => undefined);
  const doomed = startDoomed('answer');
  await expect.poll(counts, PATIENCE).toEqual([1, 1, 1]);
  await kill(doomed);
  receiver.answer = () => 204;

  await using cloud = await startTestCloud({}, undefined, { internet: receiver.internet, database });
  cloud.clock.advance(LEASE_MS);
  await expect.poll(counts, PATIENCE).toEqual([2, 2, 2]);
  expect(ntfyTexts()).toEqual([
    'Inverter 1 reports: DC busbar',
    'Inverter 1 reports: DC busbar (sent again)',
  ]);
  const [first, second] = requestsAt('/webhook');
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toEqual(first?.body);
  const [push, again] = requestsAt('/push');
  expect(again?.headers.topic).toBe(push?.headers.topic);
});
